#!/usr/bin/env python3
"""forbid.py udp|tcp PROGRAM...: runs a program to which the system gives no such internet sockets.

A filter of system calls (seccomp) answers them with "Operation not permitted", as a sandbox does."""

import ctypes
import os
import platform
import struct
import sys

SOCKET = {"x86_64": 41, "aarch64": 198}[platform.machine()]
TYPE = {"tcp": 1, "udp": 2}[sys.argv[1]]
NR, DOMAIN, KIND = 0, 16, 24  # offsets in seccomp_data, little-endian
LOAD, JUMP_EQUAL, AND, RETURN = 0x20, 0x15, 0x54, 0x06
ALLOW, NOT_PERMITTED = 0x7FFF0000, 0x00050001

FILTER = [
    (LOAD, 0, 0, NR),
    (JUMP_EQUAL, 0, 7, SOCKET),
    (LOAD, 0, 0, DOMAIN),
    (JUMP_EQUAL, 1, 0, 2),  # AF_INET
    (JUMP_EQUAL, 0, 4, 10),  # AF_INET6
    (LOAD, 0, 0, KIND),
    (AND, 0, 0, 0xF),
    (JUMP_EQUAL, 0, 1, TYPE),
    (RETURN, 0, 0, NOT_PERMITTED),
    (RETURN, 0, 0, ALLOW),
]


class Program(ctypes.Structure):
    _fields_ = [("length", ctypes.c_ushort), ("filter", ctypes.c_char_p)]


libc = ctypes.CDLL(None, use_errno=True)
code = b"".join(struct.pack("<HBBI", *step) for step in FILTER)
program = Program(len(FILTER), code)
PR_SET_NO_NEW_PRIVS, PR_SET_SECCOMP, FILTER_MODE = 38, 22, 2
if libc.prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0:
    sys.exit("no new privileges: " + os.strerror(ctypes.get_errno()))
if libc.prctl(PR_SET_SECCOMP, FILTER_MODE, ctypes.byref(program), 0, 0) != 0:
    sys.exit("seccomp: " + os.strerror(ctypes.get_errno()))
os.execv(sys.argv[2], sys.argv[2:])
