#!/usr/bin/env python3
"""igd.py - a home router that forwards ports when asked (UPnP IGD), in its namespace.

usage: igd.py LAN_IP PUBLIC_IP WAN_IF

Answers M-SEARCH on 239.255.255.250:1900, describes itself by HTTP, and does what SOAP asks with
iptables: AddPortMapping, DeletePortMapping, GetExternalIPAddress. What is not asked for again
within its lease is forwarded no more.
"""
import re, socket, struct, subprocess, sys, threading, time
from http.server import BaseHTTPRequestHandler, HTTPServer

LAN, PUBLIC, WAN = sys.argv[1:4]
GROUP, PORT = "239.255.255.250", 5000
KIND = "urn:schemas-upnp-org:device:InternetGatewayDevice:1"
SERVICE = "urn:schemas-upnp-org:service:WANIPConnection:1"

DEVICE = f"""<?xml version="1.0"?>
<root xmlns="urn:schemas-upnp-org:device-1-0"><device><deviceType>{KIND}</deviceType>
<deviceList><device><deviceType>urn:schemas-upnp-org:device:WANDevice:1</deviceType>
<deviceList><device><deviceType>urn:schemas-upnp-org:device:WANConnectionDevice:1</deviceType>
<serviceList><service><serviceType>{SERVICE}</serviceType><controlURL>/control</controlURL>
<SCPDURL>/actions.xml</SCPDURL></service></serviceList>
</device></deviceList></device></deviceList></device></root>"""

TAKES = {
    "AddPortMapping": [
        "NewRemoteHost", "NewExternalPort", "NewProtocol", "NewInternalPort", "NewInternalClient",
        "NewEnabled", "NewPortMappingDescription", "NewLeaseDuration",
    ],
    "DeletePortMapping": ["NewRemoteHost", "NewExternalPort", "NewProtocol"],
    "GetExternalIPAddress": [],
}


def action(name):
    args = (f"<argument><name>{a}</name><direction>in</direction></argument>" for a in TAKES[name])
    return f"<action><name>{name}</name><argumentList>{''.join(args)}</argumentList></action>"


ACTIONS = f"""<?xml version="1.0"?>
<scpd xmlns="urn:schemas-upnp-org:service-1-0">
<actionList>{"".join(map(action, TAKES))}</actionList></scpd>"""

forwarded = {}  # (protocol, port) -> (client, its port, until when)
lock = threading.Lock()


class Refused(Exception):
    pass


def rules(how, key, client, inside):
    protocol, port = key
    for table, chain, rest in (
        ("nat", "PREROUTING", f"--dport {port} -j DNAT --to-destination {client}:{inside}"),
        ("filter", "FORWARD", f"-d {client} --dport {inside} -j ACCEPT"),
    ):
        rule = f"iptables -t {table} {how} {chain} -i {WAN} -p {protocol} {rest}"
        subprocess.run(rule.split(), check=True)


def forget(key):
    client, inside, _ = forwarded.pop(key)
    rules("-D", key, client, inside)
    print("no longer forwards", *key, flush=True)


def add(asks, peer):
    key = (asks["NewProtocol"].lower(), str(int(asks["NewExternalPort"])))
    client, inside = asks["NewInternalClient"], str(int(asks["NewInternalPort"]))
    if client != peer:
        raise Refused(606, "Action not authorized")  # only for oneself, as most routers
    if key in forwarded and forwarded[key][0] != client:
        raise Refused(718, "ConflictInMappingEntry")
    if key in forwarded:
        forget(key)
    rules("-I", key, client, inside)
    lease = int(asks["NewLeaseDuration"])
    forwarded[key] = (client, inside, time.monotonic() + (lease or 604800))
    print("forwards", *key, "to", f"{client}:{inside}", "for", lease, flush=True)
    return ""


def delete(asks, _peer):
    key = (asks["NewProtocol"].lower(), asks["NewExternalPort"])
    if key not in forwarded:
        raise Refused(714, "NoSuchEntryInArray")
    forget(key)
    return ""


def tell(_asks, _peer):
    return f"<NewExternalIPAddress>{PUBLIC}</NewExternalIPAddress>"


DOES = {"AddPortMapping": add, "DeletePortMapping": delete, "GetExternalIPAddress": tell}


def envelope(body):
    return ('<?xml version="1.0"?><s:Envelope xmlns:s="http://schemas.xmlsoap.org/soap/envelope/">'
            f"<s:Body>{body}</s:Body></s:Envelope>")


def fault(code, words):
    return ("<s:Fault><faultcode>s:Client</faultcode><faultstring>UPnPError</faultstring><detail>"
            f'<UPnPError xmlns="urn:schemas-upnp-org:control-1-0"><errorCode>{code}</errorCode>'
            f"<errorDescription>{words}</errorDescription></UPnPError></detail></s:Fault>")


class Router(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def answer(self, code, text):
        body = text.encode()
        self.send_response(code)
        self.send_header("Content-Type", "text/xml")
        self.send_header("Content-Length", str(len(body)))
        self.send_header("Connection", "close")
        self.end_headers()
        self.wfile.write(body)
        self.close_connection = True

    def do_GET(self):
        pages = {"/device.xml": DEVICE, "/actions.xml": ACTIONS}
        self.answer(200 if self.path in pages else 404, pages.get(self.path, ""))

    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"])).decode()
        name = self.headers["SOAPAction"].strip('"').rpartition("#")[2]
        asks = dict(re.findall(r"<(New\w+)>([^<]*)</", body))
        try:
            with lock:
                if name not in DOES:
                    raise Refused(401, "Invalid Action")
                said = DOES[name](asks, self.client_address[0])
            answer = f'<u:{name}Response xmlns:u="{SERVICE}">{said}</u:{name}Response>'
            self.answer(200, envelope(answer))
        except Refused as refused:
            print("refuses", name, *refused.args, flush=True)
            self.answer(500, envelope(fault(*refused.args)))

    def log_message(self, *_):
        pass


def search():
    finder = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    finder.bind((GROUP, 1900))
    group = struct.pack("4s4s", socket.inet_aton(GROUP), socket.inet_aton(LAN))
    finder.setsockopt(socket.IPPROTO_IP, socket.IP_ADD_MEMBERSHIP, group)
    print("ready", flush=True)
    while True:
        text, sender = finder.recvfrom(2048)
        if text.startswith(b"M-SEARCH") and KIND.encode() in text:
            finder.sendto((
                "HTTP/1.1 200 OK\r\nCACHE-CONTROL: max-age=120\r\nEXT:\r\n"
                f"LOCATION: http://{LAN}:{PORT}/device.xml\r\nSERVER: Linux UPnP/1.0 lab/1\r\n"
                f"ST: {KIND}\r\nUSN: uuid:lab::{KIND}\r\n\r\n"
            ).encode(), sender)


def expire():
    while True:
        time.sleep(1)
        with lock:
            for key in [k for k, v in forwarded.items() if v[2] < time.monotonic()]:
                forget(key)


for work in (HTTPServer((LAN, PORT), Router).serve_forever, expire):
    threading.Thread(target=work, daemon=True).start()
search()
