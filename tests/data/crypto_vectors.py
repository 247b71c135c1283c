#!/usr/bin/env python3
"""Writes crypto_vectors.tsv: what the sealed deal's primitives must give.

An implementation of its own, from the documents alone and without any library but hashlib:
ristretto255 (RFC 9496), ChaCha20 (RFC 8439), the transcript, the proofs with prover and verifier.
It checks itself against the RFCs' vectors, and its proofs with its own verifier, before it writes.

    python3 tests/data/crypto_vectors.py > tests/data/crypto_vectors.tsv
"""
import hashlib
import itertools
import struct

# --- ristretto255, RFC 9496 ------------------------------------------------------------------

P = 2**255 - 19
L = 2**252 + 27742317777372353535851937790883648493
D = -121665 * pow(121666, -1, P) % P
SQRT_M1 = pow(2, (P - 1) // 4, P)


def neg(x):
    return x % P & 1 == 1


def absolute(x):
    x %= P
    return P - x if x & 1 else x


def sqrt_ratio(u, v):
    r = u * pow(v, 3, P) * pow(u * pow(v, 7, P), (P - 5) // 8, P) % P
    check = v * r * r % P
    correct, flipped = check == u % P, check == -u % P
    if flipped or check == -u * SQRT_M1 % P:
        r = r * SQRT_M1 % P
    return correct or flipped, absolute(r)


INVSQRT_A_MINUS_D = sqrt_ratio(1, -1 - D)[1]
# The RFC's constant is the other root.
SQRT_AD_MINUS_ONE = 25063068953384623474111414158702152701244531502492656460079210482610430750235
assert (SQRT_AD_MINUS_ONE**2 - (-D - 1)) % P == 0
IDENTITY = (0, 1, 1, 0)


def add(p, q):
    a = (p[1] - p[0]) * (q[1] - q[0])
    b = (p[1] + p[0]) * (q[1] + q[0])
    c = 2 * D * p[3] * q[3]
    d = 2 * p[2] * q[2]
    e, f, g, h = b - a, d - c, d + c, b + a
    return e * f % P, g * h % P, f * g % P, e * h % P


def mul(k, p):
    total = IDENTITY
    for bit in bin(k % L)[2:]:
        total = add(total, total)
        if bit == "1":
            total = add(total, p)
    return total


def add_all(points):
    total = IDENTITY
    for point in points:
        total = add(total, point)
    return total


def dot(scalars, points):
    return add_all(mul(s, p) for s, p in zip(scalars, points, strict=True))


def minus(p):
    return -p[0] % P, p[1], p[2], -p[3] % P


def encode(p):
    x, y, z, t = p
    u1, u2 = (z + y) * (z - y) % P, x * y % P
    _, inv = sqrt_ratio(1, u1 * u2 * u2 % P)
    den1, den2 = inv * u1 % P, inv * u2 % P
    z_inv = den1 * den2 * t % P
    den = den2
    if neg(t * z_inv):
        x, y, den = y * SQRT_M1 % P, x * SQRT_M1 % P, den1 * INVSQRT_A_MINUS_D % P
    if neg(x * z_inv):
        y = -y % P
    return absolute(den * (z - y)).to_bytes(32, "little")


def decode(data):
    s = int.from_bytes(data, "little")
    if len(data) != 32 or s >= P or neg(s):
        return None
    u1, u2 = (1 - s * s) % P, (1 + s * s) % P
    v = (-D * u1 * u1 - u2 * u2) % P
    ok, inv = sqrt_ratio(1, v * u2 * u2 % P)
    den_x = inv * u2 % P
    x = absolute(2 * s * den_x)
    y = u1 * inv * den_x * v % P
    if not ok or neg(x * y) or y == 0:
        return None
    return x, y, 1, x * y % P


def one_way_map(data):
    def half(part):
        t = (int.from_bytes(part, "little") & (2**255 - 1)) % P
        r = SQRT_M1 * t * t % P
        u = (r + 1) * (1 - D * D) % P
        v = (-1 - r * D) * (r + D) % P
        square, s = sqrt_ratio(u, v)
        if not square:
            s = -absolute(s * t) % P
        c = -1 if square else r
        n = (c * (r - 1) * (D - 1) ** 2 - v) % P
        w0, w1, w2, w3 = 2 * s * v, n * SQRT_AD_MINUS_ONE, 1 - s * s, 1 + s * s
        return w0 * w3 % P, w2 * w1 % P, w1 * w3 % P, w0 * w2 % P

    return add(half(data[:32]), half(data[32:]))


RFC_MULTIPLES = """
0000000000000000000000000000000000000000000000000000000000000000
e2f2ae0a6abc4e71a884a961c500515f58e30b6aa582dd8db6a65945e08d2d76
6a493210f7499cd17fecb510ae0cea23a110e8d5b901f8acadd3095c73a3b919
94741f5d5d52755ece4f23f044ee27d5d1ea1e2bd196b462166b16152a9d0259
da80862773358b466ffadfe0b3293ab3d9fd53c5ea6c955358f568322daf6a57
e882b131016b52c1d3337080187cf768423efccbb517bb495ab812c4160ff44e
f64746d3c92b13050ed8d80236a7f0007c3b3f962f5ba793d19a601ebb1df403
44f53520926ec81fbd5a387845beb7df85a96a24ece18738bdcfa6a7822a176d
903293d8f2287ebe10e2374dc1a53e0bc887e592699f02d077d5263cdd55601c
02622ace8f7303a31cafc63f8fc48fdc16e1c8c8d234b2f0d6685282a9076031
20706fd788b2720a1ed2a5dad4952b01f413bcf0e7564de8cdc816689e2db95f
bce83f8ba5dd2fa572864c24ba1810f9522bc6004afe95877ac73241cafdab42
e4549ee16b9aa03099ca208c67adafcafa4c3f3e4e5303de6026e3ca8ff84460
aa52e000df2e16f55fb1032fc33bc42742dad6bd5a8fc0be0167436c5948501f
46376b80f409b29dc2b5f6f0c52591990896e5716f41477cd30085ab7f10301e
e0c418f7c8d9c4cdd7395b93ea124f3ad99021bb681dfc3302a9d99a2e53e64e
""".split()
RFC_BAD = """
00ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff
ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f
f3ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f
edffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f
0100000000000000000000000000000000000000000000000000000000000000
01ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f
ed57ffd8c914fb201471d1c3d245ce3c746fcbe63a3679d51b6a516ebebe0e20
c34c4e1826e5d403b78e246e88aa051c36ccf0aafebffe137d148a2bf9104562
c940e5a4404157cfb1628b108db051a8d439e1a421394ec4ebccb9ec92a8ac78
47cfc5497c53dc8e61c91d17fd626ffb1c49e2bca94eed052281b510b1117a24
f1c6165d33367351b0da8f6e4511010c68174a03b6581212c71c0e1d026c3c72
87260f7a2f12495118360f02c26a470f450dadf34a413d21042b43b9d93e1309
26948d35ca62e643e26a83177332e6b6afeb9d08e4268b650f1f5bbd8d81d371
4eac077a713c57b4f4397629a4145982c661f48044dd3f96427d40b147d9742f
de6a7b00deadc788eb6b6c8d20c0ae96c2f2019078fa604fee5b87d6e989ad7b
bcab477be20861e01e4a0e295284146a510150d9817763caf1a6f4b422d67042
2a292df7e32cababbd9de088d1d1abec9fc0440f637ed2fba145094dc14bea08
f4a9e534fc0d216c44b218fa0c42d99635a0127ee2e53c712f70609649fdff22
8268436f8c4126196cf64b3c7ddbda90746a378625f9813dd9b8457077256731
2810e5cbc2cc4d4eece54f61c6f69758e289aa7ab440b3cbeaa21995c2f4232b
3eb858e78f5a7254d8c9731174a94f76755fd3941c0ac93735c07ba14579630e
a45fdc55c76448c049a1ab33f17023edfb2be3581e9c7aade8a6125215e04220
d483fe813c6ba647ebbfd3ec41adca1c6130c2beeee9d9bf065c8d151c5f396e
8a2e1d30050198c65a54483123960ccc38aef6848e1ec8f5f780e8523769ba32
32888462f8b486c68ad7dd9610be5192bbeaf3b443951ac1a8118419d9fa097b
227142501b9d4355ccba290404bde41575b037693cef1f438c47f8fbf35d1165
5c37cc491da847cfeb9281d407efc41e15144c876e0170b499a96a22ed31e01e
445425117cb8c90edcbc7c1cc0e74f747f2c1efa5630a967c64f287792a48a4b
ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f
""".split()
RFC_DERIVED = {
    "Ristretto is traditionally a short shot of espresso coffee":
        "3066f82a1a747d45120d1740f14358531a8f04bbffe6a819f86dfe50f44a0a46",
    "made with the normal amount of ground coffee but extracted with":
        "f26e5b6f7d362d2d2a94c5d0e7602cb4773c95a2e5c31a64f133189fa76ed61b",
    "about half the amount of water in the same amount of time":
        "006ccd2a9e6867e6a2c5cea83d3302cc9de128dd2a9a57dd8ee7b9d7ffe02826",
    "by using a finer grind.":
        "f8f0c87cf237953c5890aec3998169005dae3eca1fbb04548c635953c817f92a",
    "This produces a concentrated shot of coffee per volume.":
        "ae81e7dedf20a497e10c304a765c1767a42d6e06029758d2d7e8ef7cc4c41179",
    "Just pulling a normal shot short will produce a weaker shot":
        "e2705652ff9f5e44d3e841bf1c251cf7dddb77d140870d1ab2ed64f1a9ce8628",
    "and is not a Ristretto as some believe.":
        "80bd07262511cdde4863f8a7434cef696750681cb9510eea557088f76d9e5065",
}
G = decode(bytes.fromhex(RFC_MULTIPLES[1]))


def check_group():
    for i, expected in enumerate(RFC_MULTIPLES):
        assert encode(mul(i, G)).hex() == expected
        assert encode(decode(bytes.fromhex(expected))).hex() == expected
    assert all(decode(bytes.fromhex(bad)) is None for bad in RFC_BAD)
    for text, expected in RFC_DERIVED.items():
        assert encode(one_way_map(hashlib.sha512(text.encode()).digest())).hex() == expected
    assert encode(add(mul(L - 1, G), G)) == bytes(32)


# --- ChaCha20, RFC 8439 ----------------------------------------------------------------------


def chacha20_block(key, counter, nonce):
    def rotate(x, n):
        return (x << n | x >> 32 - n) & 0xFFFFFFFF

    start = [0x61707865, 0x3320646E, 0x79622D32, 0x6B206574]
    start += struct.unpack("<8L", key) + (counter,) + struct.unpack("<3L", nonce)
    x = list(start)
    quarters = [(0, 4, 8, 12), (1, 5, 9, 13), (2, 6, 10, 14), (3, 7, 11, 15)]
    quarters += [(0, 5, 10, 15), (1, 6, 11, 12), (2, 7, 8, 13), (3, 4, 9, 14)]
    for _ in range(10):
        for a, b, c, d in quarters:
            for i, j, k, n in ((a, b, d, 16), (c, d, b, 12), (a, b, d, 8), (c, d, b, 7)):
                x[i] = (x[i] + x[j]) & 0xFFFFFFFF
                x[k] = rotate(x[k] ^ x[i], n)
    return struct.pack("<16L", *((a + b) & 0xFFFFFFFF for a, b in zip(x, start)))


class Stream:
    def __init__(self, key):
        self.key, self.block, self.buffer = key, 0, b""

    def read(self, n):
        while len(self.buffer) < n:
            self.buffer += chacha20_block(self.key, self.block, bytes(12))
            self.block += 1
        out, self.buffer = self.buffer[:n], self.buffer[n:]
        return out

    def below(self, bound):
        while True:
            word = int.from_bytes(self.read(4), "little")
            if word < 2**32 // bound * bound:
                return word % bound

    def permutation(self, n):
        row = list(range(n))
        for i in range(n - 1, 0, -1):
            j = self.below(i + 1)
            row[i], row[j] = row[j], row[i]
        return row


def check_chacha20():
    # RFC 8439, section 2.3.2.
    nonce = bytes.fromhex("000000090000004a00000000")
    assert chacha20_block(bytes(range(32)), 1, nonce).hex() == (
        "10f1e7e4d13b5915500fdd1fa32071c4c7d1f4c733c068030422aa9ac3d46c4e"
        "d2826446079faa0914c2d705d98b02a2b5129cd1de164eb9cbd083e8a2503c4e"
    )


# --- hashes and the transcript ---------------------------------------------------------------


def frame(dom, parts):
    dom = b"fairdeal/1/" + dom.encode()
    out = bytes([len(dom)]) + dom
    for part in parts:
        out += struct.pack("<L", len(part)) + part
    return out


def H(dom, *parts):
    return hashlib.sha256(frame(dom, parts)).digest()


def wide(dom, *parts):
    return hashlib.sha512(frame(dom, parts)).digest()


def Hs(dom, *parts):
    return int.from_bytes(wide(dom, *parts), "little") % L


def Hp(dom, *parts):
    return one_way_map(wide(dom, *parts))


def sc(x):
    return (x % L).to_bytes(32, "little")


def u8(x):
    return bytes([x])


class Transcript:
    def __init__(self, protocol):
        self.state = wide("tr", protocol.encode())

    def absorb(self, label, data):
        label = label.encode()
        head = struct.pack("<L", len(label)) + label + struct.pack("<Q", len(data))
        self.state = hashlib.sha512(self.state + head + data).digest()

    def challenge(self, label):
        c = Hs("ch", self.state, label.encode())
        self.absorb(label, sc(c))
        return c

    def nonces(self, hedge, secret):
        key = H("noncekey", hedge, secret, self.state)
        return (Hs("nonce", key, struct.pack("<L", i)) for i in itertools.count())


# --- keys, shares ----------------------------------------------------------------------------


def schnorr(tr, hedge, seed, sk):
    k = next(tr.nonces(hedge, seed))
    tr.absorb("R", encode(mul(k, G)))
    c = tr.challenge("c")
    return sc(c) + sc(k + c * sk)


def key_transcript(t0, seat, pk):
    tr = Transcript("key")
    tr.absorb("T0", t0)
    tr.absorb("seat", u8(seat))
    tr.absorb("pk", encode(pk))
    return tr


def dleq(ctx, seat, pk, deck, positions, shares, hedge, seed, sk):
    t1, stage, purpose = ctx
    tr = Transcript("dleq")
    tr.absorb("T1", t1)
    tr.absorb("S", stage)
    tr.absorb("seat", u8(seat))
    for label, data in purpose:
        tr.absorb(label, data)
    tr.absorb("pk", encode(pk))
    tr.absorb("positions", bytes(positions))
    for i in positions:
        tr.absorb("A", encode(deck[i][0]))
    for share in shares:
        tr.absorb("D", encode(share))
    nonces = tr.nonces(hedge, seed)
    weights = [1] + [tr.challenge("w") % 2**128 for _ in positions[1:]]
    base = dot(weights, [deck[i][0] for i in positions])
    k = next(nonces)
    tr.absorb("X", encode(mul(k, G)))
    tr.absorb("Y", encode(mul(k, base)))
    c = tr.challenge("c")
    return sc(c) + sc(k + c * sk)


# --- the shuffle and its proof ---------------------------------------------------------------

CK = [Hp("ck", struct.pack("<H", i)) for i in range(1, 61)]
CKH = Hp("ckh")


def com(values, r):
    return add(mul(r, CKH), dot(values, CK[: len(values)]))


def deck_bytes(deck):
    return b"".join(encode(half) for card in deck for half in card)


def shuffle_transcript(t1, stage, seat, pk, deck, out):
    tr = Transcript("shuffle")
    tr.absorb("T1", t1)
    tr.absorb("S", stage)
    tr.absorb("seat", u8(seat))
    tr.absorb("N", u8(len(out)))
    tr.absorb("PK", encode(pk))
    tr.absorb("in", deck_bytes(deck))
    tr.absorb("out", deck_bytes(out))
    return tr


LAST = ["c_alpha", "E_A", "E_B", "c_d", "c_delta", "c_cross"]


def prove_shuffle(t1, stage, seat, pk, deck, out, pi, rho, hedge, seed):
    n = len(deck)
    tr = shuffle_transcript(t1, stage, seat, pk, deck, out)
    nonces = tr.nonces(hedge, seed)

    def draw(count):
        return [next(nonces) for _ in range(count)]

    r1, r2, r3, r4, r5, r6, tau0 = draw(7)
    alpha, d, delta = draw(n), draw(n), draw(n)
    delta[0], delta[-1] = d[0], 0
    c_pi = com([p + 1 for p in pi], r1)
    tr.absorb("c_pi", encode(c_pi))
    x = tr.challenge("x")
    b = [pow(x, p + 1, L) for p in pi]
    c_b = com(b, r2)
    tr.absorb("c_b", encode(c_b))
    y, z = tr.challenge("y"), tr.challenge("z")
    a = [(y * (p + 1) + bi - z) % L for p, bi in zip(pi, b)]
    q = a[:1]
    for ai in a[1:]:
        q.append(q[-1] * ai % L)
    last = [
        com(alpha, r3),
        add(mul(tau0, G), dot(alpha, [A for A, _ in out])),
        add(mul(tau0, pk), dot(alpha, [B for _, B in out])),
        com(d, r4),
        com([-delta[i] * d[i + 1] for i in range(n - 1)], r5),
        com([delta[i + 1] - a[i + 1] * delta[i] - q[i] * d[i + 1] for i in range(n - 1)], r6),
    ]
    for label, point in zip(LAST, last):
        tr.absorb(label, encode(point))
    e = tr.challenge("e")
    o = [al + e * bi for al, bi in zip(alpha, b)]
    tau = tau0 - e * sum(bi * ri for bi, ri in zip(b, rho))
    a_t = [e * ai + di for ai, di in zip(a, d)]
    b_t = [e * qi + de for qi, de in zip(q, delta)][1:-1]
    words = o + [r3 + e * r2, tau] + a_t + b_t + [e * (y * r1 + r2) + r4, e * r6 + r5]
    return b"".join(map(encode, [c_pi, c_b] + last)) + b"".join(map(sc, words))


def verify_shuffle(t1, stage, seat, pk, deck, out, proof):
    """The five equations one by one, as in the paper."""
    n = len(deck)
    if len(proof) != (8 + 3 * n + 2) * 32 or len(out) != n:
        return False
    words = [proof[i : i + 32] for i in range(0, len(proof), 32)]
    points = [decode(word) for word in words[:8]]
    scalars = [int.from_bytes(word, "little") for word in words[8:]]
    if None in points or max(scalars) >= L:
        return False
    c_pi, c_b, c_alpha, e_a, e_b, c_d, c_delta, c_cross = points
    o, (o_r, tau), a_t = scalars[:n], scalars[n : n + 2], scalars[n + 2 : 2 * n + 2]
    b_t, (r_t, s_t) = scalars[2 * n + 2 : 3 * n], scalars[3 * n :]
    tr = shuffle_transcript(t1, stage, seat, pk, deck, out)
    tr.absorb("c_pi", words[0])
    x = tr.challenge("x")
    tr.absorb("c_b", words[1])
    y, z = tr.challenge("y"), tr.challenge("z")
    for label, word in zip(LAST, words[2:]):
        tr.absorb(label, word)
    e = tr.challenge("e")
    powers = [pow(x, i, L) for i in range(1, n + 1)]
    product = 1
    for i, power in enumerate(powers, 1):
        product = product * (y * i + power - z) % L
    b_t = [a_t[0]] + b_t + [e * product % L]
    steps = [e * b_t[i + 1] - b_t[i] * a_t[i + 1] for i in range(n - 1)]
    c_a = add(add(mul(y, c_pi), c_b), mul(-z, add_all(CK[:n])))
    same = lambda p, q: encode(p) == encode(q)
    return (
        same(com(o, o_r), add(c_alpha, mul(e, c_b)))
        and same(
            add(dot(o, [A for A, _ in out]), mul(tau, G)),
            add(e_a, mul(e, dot(powers, [A for A, _ in deck]))),
        )
        and same(
            add(dot(o, [B for _, B in out]), mul(tau, pk)),
            add(e_b, mul(e, dot(powers, [B for _, B in deck]))),
        )
        and same(com(a_t, r_t), add(c_d, mul(e, c_a)))
        and same(com(steps, s_t), add(c_delta, mul(e, c_cross)))
    )


# --- the vectors -----------------------------------------------------------------------------

ROWS = []


def row(name, data):
    ROWS.append((name, data))


def primitives():
    for i, bad in enumerate(RFC_BAD):
        row(f"bad-point/{i}", bytes.fromhex(bad))
    for i, good in enumerate(RFC_MULTIPLES[1:], 1):
        row(f"multiple/{i}", bytes.fromhex(good))
    row("H", H("vector", b"", b"one", bytes(range(256))))
    row("Hs", sc(Hs("vector", b"", b"one", bytes(range(256)))))
    row("Hp", encode(Hp("vector", b"", b"one", bytes(range(256)))))
    row("card/0", encode(Hp("card", u8(0))))
    row("card/44", encode(Hp("card", u8(44))))
    row("ck/0", encode(CKH))
    row("ck/1", encode(CK[0]))
    row("ck/60", encode(CK[59]))
    tr = Transcript("vector")
    tr.absorb("label", b"data")
    row("transcript/1", sc(tr.challenge("first")))
    tr.absorb("", b"")
    nonces = tr.nonces(b"\1" * 32, b"\2" * 32)
    row("transcript/2", sc(tr.challenge("second")))
    row("nonce/0", sc(next(nonces)))
    row("nonce/1", sc(next(nonces)))
    for n in (0, 1, 2, 45, 60, 255):
        row(f"permutation/{n}", bytes(Stream(H("vector", u8(n))).permutation(n)))


def deal():
    """Two seats, six cards; position i belongs to seat i mod 2, all of round 1."""
    cards, n = [44, 0, 9, 17, 30, 43], 2
    t0 = H("vector", b"T0")
    seeds = [H("seedgen", u8(7 + j) * 32, t0) for j in range(n)]
    hedges = [u8(100 + j) * 32 for j in range(n)]
    sks = [Hs("sk", seed, t0) for seed in seeds]
    pks = [mul(sk, G) for sk in sks]
    coins = [H("coin", seed, t0, u8(1)) for seed in seeds]
    salts = [H("salt", seeds[i % n], t0, u8(i)) for i in range(6)]
    bodies = []
    for j in range(n):
        body = H("seed", t0, u8(j), seeds[j]) + H("coinc", t0, u8(j), u8(1), coins[j])
        for i in range(j, 6, n):
            body += H("leaf", t0, u8(j), u8(i), salts[i])
        proof = schnorr(key_transcript(t0, j, pks[j]), hedges[j], seeds[j], sks[j])
        bodies.append(body + encode(pks[j]) + proof)
        row(f"deal/commit/{j}", bodies[j])
    t1 = H("T1", t0, *bodies)
    joint = add_all(pks)
    row("deal/T1", t1)
    row("deal/PK", encode(joint))
    stage = H("S0", t1, encode(joint))
    row("deal/S/0", stage)
    deck = [(IDENTITY, Hp("card", u8(c))) for c in cards]
    for j in range(n):
        pi = Stream(H("perm", seeds[j], stage)).permutation(6)
        rho = [Hs("rho", seeds[j], stage, u8(i)) for i in range(6)]
        out = [
            (add(deck[pi[i]][0], mul(rho[i], G)), add(deck[pi[i]][1], mul(rho[i], joint)))
            for i in range(6)
        ]
        proof = prove_shuffle(t1, stage, j, joint, deck, out, pi, rho, hedges[j], seeds[j])
        assert verify_shuffle(t1, stage, j, joint, deck, out, proof)
        assert not verify_shuffle(t1, stage, 1 - j, joint, deck, out, proof)
        row(f"deal/deck/{j + 1}", deck_bytes(out))
        row(f"deal/proof/{j + 1}", proof)
        stage = H("S", stage, u8(j), deck_bytes(out), proof)
        row(f"deal/S/{j + 1}", stage)
        deck = out
    for j in range(n):
        others = [i for i in range(6) if i % n != j]
        shares = [mul(sks[j], deck[i][0]) for i in others]
        ctx = (t1, stage, [("share", u8(1))])
        proof = dleq(ctx, j, pks[j], deck, others, shares, hedges[j], seeds[j], sks[j])
        row(f"deal/shares/{j}", b"".join(map(encode, shares)) + proof)
        head = H("vector", b"head")
        ctx = (t1, stage, [("open", struct.pack("<Q", 258)), ("head", head)])
        share = mul(sks[j], deck[j][0])
        proof = dleq(ctx, j, pks[j], deck, [j], [share], hedges[j], seeds[j], sks[j])
        row(f"deal/open/{j}", encode(share) + proof)
        side = H("side", seeds[j], head)
        row(f"deal/side/{j}", H("sidec", t1, u8(j), head, u8(j), side))
    r = H("coins", t1, u8(1), *coins)
    row("deal/R", r)
    table = {encode(Hp("card", u8(c))): c for c in cards}
    messages = [add(B, minus(add_all(mul(sk, A) for sk in sks))) for A, B in deck]
    order = [table[encode(message)] for message in messages]
    assert sorted(order) == sorted(cards)
    row("deal/order", bytes(order))
    turned = [H("orient", t1, r, u8(i % n), u8(i), salts[i])[0] & 1 for i in range(6)]
    row("deal/turned", bytes(turned))
    row("deal/starter", u8(Stream(H("start", t1, r)).below(n)))


if __name__ == "__main__":
    check_group()
    check_chacha20()
    primitives()
    deal()
    for name, data in ROWS:
        print(f"{name}\t{data.hex()}")
