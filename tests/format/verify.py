#!/usr/bin/env python3
"""Verifies log files of games with an open deal, as FORMAT.md describes them, and from it alone.

    verify.py FILE...
    verify.py - < NAMES

It says in a line for each file `right complete N` or `right unfinished N` (N records), `sealed`, or
`wrong R REASON`, where R is the number of the first wrong record, from 1 (0: not even a record).

Sections named in the text below are those of FORMAT.md, and so are all names. Not looked at: the
rules for names of players, and of a game with a sealed deal everything behind the first record.
"""

import re
import struct
import sys
from collections import namedtuple
from functools import lru_cache
from hashlib import sha256, sha512
from itertools import combinations
from types import SimpleNamespace


class Wrong(Exception):
    """What is read does not have to be believed; the text says why."""


def require(condition, reason):
    """Refuses what is being read, unless the condition holds."""
    if not condition:
        raise Wrong(reason)


# --- Bytes ----------------------------------------------------------------------------------------

MAGIC = b"fairdeal 1\r\n"
MAX_RECORD = MAX_RECORDS = 32_768
MAX_FILE = 64 << 20
SIGNATURE = 64
INTEGERS = {"u8": "<B", "u16": "<H", "u32": "<I", "u64": "<Q", "i32": "<i"}
u8, u32 = struct.Struct("<B").pack, struct.Struct("<I").pack
Option, Enum = namedtuple("Option", "item"), namedtuple("Enum", "variants")


class Reader:
    """Bytes that are taken from the front, as values that have one encoding each.

    The type of a value is a name, an Option, an Enum, a list with the type of its items, a pair, or
    a dict: a struct, read as an object with its fields, its encoding `raw`, and in an Enum `kind`.
    """

    def __init__(self, data):
        self.data, self.at = data, 0

    def take(self, size):
        require(size <= len(self.data) - self.at, "does not decode: too short")
        self.at += size
        return self.data[self.at - size:self.at]

    def number(self, of, limit):
        number = struct.unpack(INTEGERS[of], self.take(struct.calcsize(INTEGERS[of])))[0]
        require(number < limit, "does not decode: no such value")
        return number

    def count(self):
        """The number of items of a list, each of which has at least a byte."""
        return self.number("u64", len(self.data))

    def value(self, of):
        if isinstance(of, dict):
            start, fields = self.at, {name: self.value(item) for name, item in of.items()}
            return SimpleNamespace(**fields, raw=self.data[start:self.at])
        if isinstance(of, list):
            return [self.value(of[0]) for _ in range(self.count())]
        if isinstance(of, Enum):
            kind = list(of.variants)[self.number("u32", len(of.variants))]
            value = self.value(of.variants[kind])
            value.kind = kind
            return value
        if isinstance(of, Option):
            return self.value(of.item) if self.number("u8", 2) else None
        if isinstance(of, tuple):
            return tuple(self.value(item) for item in of)
        if of == "hash":
            return self.take(32)
        if of == "bool":
            return self.number("u8", 2) == 1
        if of == "octets":  # a list of u8
            return self.take(self.count())
        if of == "string":
            try:
                return self.take(self.count()).decode("utf-8")
            except UnicodeDecodeError:
                raise Wrong("does not decode: not UTF-8") from None
        return self.number(of, 1 << 64)


def signed(of, data):
    """A signed value: the value and its signature."""
    reader = Reader(data[:-SIGNATURE])
    value = reader.value(of)
    require(reader.at == len(reader.data), "does not decode: too long")
    return value, data[-SIGNATURE:]


# --- Records, and the papers and notes of "Going on without a seat" -------------------------------

TERMS = dict(id="hash", version="u16", deal=Enum(dict(Open={}, Sealed={})), clock_s="u32",
             patience_s="u32")
JOIN = dict(key="hash", name="string", nonce="hash", kept_by=Option("u8"))
CARD = Enum(dict(Dealt=dict(share="hash", salt="hash"), Scouted=dict(turned="bool", salt="hash")))
OPENING = dict(cards=[CARD], proof="octets")
WHY = Enum(dict(Silent={}, Left=dict(note="octets"), Fault=dict(proof=["octets"])))
MOTION = dict(number="u64", without=[dict(program="u8", why=WHY)])
RECORD = dict(base="hash", state="hash", seat="u8", body=Enum(dict(
    Roster=dict(terms=TERMS, number="u32", joins=[JOIN]),
    Sit={},
    Commit=dict(hash="hash"),
    Reveal=dict(seed="hash"),
    Seal=dict(seed="hash", coins=["hash"], leaves=["hash"], key="hash", proof="octets"),
    Shuffle=dict(deck="octets", proof="octets"),
    Ready=dict(deal="hash", deck="hash"),
    Shares=dict(shares=["hash"], proof="octets", coin="hash"),
    Choice=dict(hash="hash"),
    ChoiceOpen=dict(flip="bool", salt="hash"),
    Action=dict(action="string"),
    SealedAction=dict(action="string", side=Option("hash"), opening=Option(OPENING)),
    Stuck=dict(opening=OPENING),
    RoundEnd=dict(points=["i32"]),
    Result=dict(points=["i32"], winners="octets"),
    Verdict=dict(motion=MOTION, votes=[("u8", "octets")]),
    RoundEndBack=dict(points=["i32"], returns=["octets"]))))
PAPER = dict(base="hash", program="u8", says=Enum(dict(
    Sign=dict(motion=MOTION),
    Have=dict(number="u64", owner="u8", thing="hash"),
    Holds=dict(thing="hash"))))
NOTE = dict(game="hash", seat="u8", boot="u64", counter="u64", body=Enum(dict(
    Started={},
    Held=dict(asker="u8", asker_boot="u64", record=Option("octets"), votes=["octets"]),
    Twin=dict(boot="u64"),
    Ask=dict(base="hash", without="u8"),
    Leave=dict(base="hash", signed="u8"),
    Return=dict(outs="u8"),
    Undone=dict(things=["hash"]),
    Closed=dict(thing="hash"),
    Chat=dict(text="string"))))


# --- Hashes and signatures ------------------------------------------------------------------------

def H(name, *parts):
    """The hash of "Hashes and signatures", over its domain and parts."""
    dom = b"fairdeal/1/" + name.encode()
    return sha256(u8(len(dom)) + dom + b"".join(u32(len(part)) + part for part in parts)).digest()


P = 2**255 - 19
ORDER = 2**252 + 27742317777372353535851937790883648493
D = -121665 * pow(121666, -1, P) % P
SQRT_M1 = pow(2, (P - 1) // 4, P)
ZERO = (0, 1, 1, 0)


def add(point, other):
    """The sum of two points of the curve, each (X, Y, Z, T): RFC 8032, section 5.1.4."""
    (x1, y1, z1, t1), (x2, y2, z2, t2) = point, other
    a, b, c, d = (y1 - x1) * (y2 - x2), (y1 + x1) * (y2 + x2), 2 * D * t1 % P * t2, 2 * z1 * z2
    e, f, g, h = (b - a) % P, (d - c) % P, (d + c) % P, (b + a) % P
    return e * f % P, g * h % P, f * g % P, e * h % P


def small_order(point):
    """Whether eight times the point is zero."""
    for _ in range(3):
        point = add(point, point)
    return point[0] == 0 and point[1] == point[2]


def encode_point(point):
    inverse = pow(point[2], -1, P)
    x, y = point[0] * inverse % P, point[1] * inverse % P
    return (y | (x & 1) << 255).to_bytes(32, "little")


def decode_point(data):
    """The point, or None: RFC 8032, section 5.1.3."""
    number = int.from_bytes(data, "little")
    sign, y = number >> 255, number & (2**255 - 1)
    u, v = y * y - 1, D * y * y + 1
    x = u * pow(v, 3, P) * pow(u * pow(v, 7, P), (P - 5) // 8, P) % P
    if (v * x * x - u) % P:
        x = x * SQRT_M1 % P
    if y >= P or (v * x * x - u) % P or (sign and not x):
        return None
    x = x if x & 1 == sign else P - x
    return x, y, 1, x * y % P


def multiples(point):
    """A table: for each of 64 digits, 0 to 15 times the point times 16 to the digit's place."""
    table = []
    for _ in range(64):
        row = [ZERO]
        while len(row) < 17:
            row.append(add(row[-1], point))
        point = row.pop()
        table.append(row)
    return table


def add_multiple(point, table, scalar):
    """The point and `scalar` times the one of the table."""
    for row in table:
        point = add(point, row[scalar & 15])
        scalar >>= 4
    return point


BASE = multiples(decode_point((4 * pow(5, -1, P) % P).to_bytes(32, "little")))


@lru_cache(maxsize=64)
def key_table(key):
    """The multiples of minus the point of a key, or None where it is no key."""
    point = decode_point(key)
    if point is None or small_order(point):
        return None
    x, y, z, t = point
    return multiples((P - x, y, z, P - t))


@lru_cache(maxsize=1 << 17)
def has_signed(key, message, signature):
    """Strict ed25519 of a message of 32 bytes."""
    table, s = key_table(key), int.from_bytes(signature[32:], "little")
    if table is None or s >= ORDER:
        return False
    k = int.from_bytes(sha512(signature[:32] + key + message).digest(), "little") % ORDER
    point = add_multiple(add_multiple(ZERO, BASE, s), table, k)
    return encode_point(point) == signature[:32] and not small_order(point)


# --- The game -------------------------------------------------------------------------------------

CARDS = list(combinations(range(1, 11), 2))
NUMBER = {frozenset(card): number for number, card in enumerate(CARDS)}
DECK = {2: CARDS[:44], 3: [card for card in CARDS if card[1] < 10], 4: CARDS[:44], 5: CARDS}
HAND = {2: 11, 3: 12, 4: 11, 5: 9}
ROUNDS = {2: 2, 3: 3, 4: 4, 5: 5}
GOING, EMPTIED, STALLED = range(3)
SCOUT = re.compile("scout (left|right) ([1-9][0-9]?)( flip)?")
SHOW = re.compile("show ([1-9][0-9]?)(?:-([1-9][0-9]?))?")


def bits(numbers):
    return sum(1 << number for number in numbers)


def after(seat, seats, players):
    """The first of the seats behind this one, going round."""
    return min(seats, key=lambda other: (other - seat - 1) % players)


def beats(cards, active):
    """Whether the cards are a set, and beat the active one if there is one."""
    def strength(cards):
        ups = [up for up, _, _ in cards]
        steps = {right - left for left, right in zip(ups, ups[1:])}
        return steps in (set(), {0}, {1}, {-1}) and (len(ups), steps <= {0}, min(ups))
    mine = strength(cards)
    return bool(mine and (not active or mine > strength(active)))


class Round:
    """A round ("A round"). A card is (number up, number down, what a digest shows in a hand)."""

    def __init__(self, players, hands, start):
        self.players, self.seats, self.start, self.act = players, set(hands), start, start
        self.kept, self.flipped, self.scouted, self.shown = set(), set(), set(), set()
        self.spent = {0, 1} if players == 2 else set()
        self.ending, self.owner, self.active = GOING, None, []
        self.hands = [[(*card, 0xFF) for card in hands.get(seat, [])] for seat in range(5)]
        self.captured, self.tokens = [0] * 5, [3, 3, 0, 0, 0] if players == 2 else [0] * 5

    def choose(self, seat, flip):
        self.kept.add(seat)
        if flip:
            self.flipped.add(seat)
            self.hands[seat] = [(down, up, shown) for up, down, shown in self.hands[seat]]

    def plan(self, text):
        """A turn of the seat to act ("Turns as text"), if it may be taken: the hand and the active
        set as a scout leaves them, whether there is a scout, and which places are shown, if any."""
        parts = text.split(" + ")
        scout, show = SCOUT.fullmatch(parts[0]), SHOW.fullmatch(parts[-1])
        require(len(parts) == bool(scout) + bool(show), "not a turn")
        require(len(parts) == 1 or self.act not in self.spent, "scout and show is spent")
        hand, active, places = self.hands[self.act][:], self.active[:], None
        if scout:
            end, place, flip = scout[1], int(scout[2]) - 1, scout[3]
            require(active, "no card to scout")
            require(self.players > 2 or self.tokens[self.act], "no token for a scout")
            require(end == "left" or len(active) > 1, "the one card of a set is the left one")
            require(place <= len(hand), "no such place in the hand")
            up, down, _ = active.pop(0 if end == "left" else -1)
            face = 0xB0 + NUMBER[frozenset((up, down))]
            hand.insert(place, (down, up, face) if flip else (up, down, face))
        if show:
            first, last = int(show[1]), int(show[2] or show[1])
            require(first < last or not show[2], "not a turn")
            require(last <= len(hand), "no such place in the hand")
            places = slice(first - 1, last)
            require(beats(hand[places], active), "no set that beats the active one")
        return hand, active, bool(scout), places

    def turn(self, text):
        seat, two = self.act, self.players == 2
        hand, self.active, scouts, places = self.plan(text)
        if scouts:
            self.tokens[seat if two else self.owner] += -1 if two else 1
            (self.spent if places else self.scouted).add(seat)
        if places:
            self.captured[seat] += len(self.active)
            self.active, self.owner, self.scouted = hand[places], seat, set()
            self.shown |= {NUMBER[frozenset(card[:2])] for card in self.active}
            del hand[places]
        self.hands[seat] = hand
        if not hand:
            self.ending = EMPTIED
        else:
            if places or not two:
                self.act = after(seat, self.seats, self.players)
            self.look_for_stall()

    def leave(self, seat):
        self.seats.remove(seat)
        if self.act == seat:
            self.act = after(seat, self.seats, self.players)
        self.look_for_stall()

    def look_for_stall(self):
        hand = self.hands[self.act]
        if self.players > 2:
            stalled = self.owner is not None and self.seats - {self.owner} <= self.scouted
        else:
            stalled = self.active and not self.tokens[self.act] and not any(
                beats(hand[first:last], self.active)
                for first, last in combinations(range(len(hand) + 1), 2))
        if stalled:
            self.ending = STALLED

    def points(self):
        """The points of each seat of the table, before it pays."""
        free = self.seats & {self.owner} if self.ending == STALLED else set()
        return [self.captured[seat] + self.tokens[seat]
                - (0 if seat in free else len(self.hands[seat])) for seat in range(self.players)]

    def encode(self):
        """The round in the state digest."""
        active = bytes(16 * up + down for up, down, _ in self.active)
        hands = [bytes(face for _, _, face in hand) for hand in self.hands]
        return b"".join([
            bytes([bits(self.seats), self.start, self.act, bits(self.kept), bits(self.flipped)]),
            bytes([bits(self.spent), bits(self.scouted), self.ending]),
            struct.pack("<BB10s", 255 if self.owner is None else self.owner, len(active), active),
            *(struct.pack("<B45sBH", len(hand), hand, captured, tokens)
              for hand, captured, tokens in zip(hands, self.captured, self.tokens)),
            struct.pack("<Q", bits(self.shown))])


class Game:
    """The public state: the rounds, and who is out as far as the game has noticed."""

    def __init__(self, players):
        self.players, self.out, self.early, self.dealt = players, set(), False, 0
        self.owed, self.counted, self.known, self.round = [0] * players, [], set(), None

    def running(self):
        return len(self.counted) < self.dealt and not self.early

    def played(self):
        return len(self.counted) == ROUNDS[self.players]

    def deal(self, hands, start):
        """Begins a round; `start` is the seat that starts the first one."""
        if self.round:
            start = after(self.round.start, hands, self.players)
            self.known = self.round.shown if self.players == 2 else set()
        self.round = Round(self.players, hands, start)
        self.dealt += 1

    def turn(self, text):
        self.round.turn(text)
        self.count()

    def leave(self, seat, pays):
        """A seat goes out ("Going on without a seat", "A round", "Out")."""
        if self.played() or (self.early and not pays):
            return
        self.out.add(seat)
        self.owed[seat] += pays
        if self.players - len(self.out) < min(self.players, 3):
            self.early = True
        elif self.running():
            self.round.leave(seat)
            self.count()

    def count(self):
        """Adds the running round to those that count, if it is over."""
        if self.round.ending != GOING:
            points = [won - owed for won, owed in zip(self.round.points(), self.owed)]
            self.counted.append((self.round.ending, points))
            self.owed = [0] * self.players

    def result(self):
        """The totals of all seats, and the winners."""
        rounds = [points for _, points in self.counted]
        totals = [sum(won) - owed for *won, owed in zip(*rounds, self.owed)]
        best = [seat for seat in range(self.players) if totals[seat] == max(totals)]
        return totals, [] if self.early else best

    def digest(self):
        """The state digest."""
        counted = b"".join(struct.pack("<B5i", ending, *points, *[0] * (5 - self.players))
                           for ending, points in self.counted)
        return H("state", b"".join([
            bytes([1, self.players, bits(self.out), self.early, self.dealt]),
            struct.pack("<5s105sQ", bytes(self.owed), counted, bits(self.known)),
            self.round.encode() if self.round else bytes(273)]))


# --- The open deal --------------------------------------------------------------------------------

class Stream:
    """The key stream of ChaCha20."""

    def __init__(self, key):
        self.start = [*struct.unpack("<12I", b"expand 32-byte k" + key), 0, 0, 0, 0]
        self.ahead = b""

    def block(self):
        x = self.start[:]
        columns = [(i, i + 4, i + 8, i + 12) for i in range(4)]
        diagonals = [(i, 4 + (i + 1) % 4, 8 + (i + 2) % 4, 12 + (i + 3) % 4) for i in range(4)]
        for a, b, c, d in 10 * (columns + diagonals):
            for to, by, of, left in (a, b, d, 16), (c, d, b, 12), (a, b, d, 8), (c, d, b, 7):
                x[to] = (x[to] + x[by]) & 0xFFFFFFFF
                mixed = x[of] ^ x[to]
                x[of] = (mixed << left | mixed >> 32 - left) & 0xFFFFFFFF
        words = [(now + before) & 0xFFFFFFFF for now, before in zip(x, self.start)]
        self.start[12] += 1
        return struct.pack("<16I", *words)

    def take(self, size):
        while len(self.ahead) < size:
            self.ahead += self.block()
        taken, self.ahead = self.ahead[:size], self.ahead[size:]
        return taken

    def below(self, bound):
        """A draw."""
        while True:
            drawn = int.from_bytes(self.take(4), "little")
            if drawn < 2**32 - 2**32 % bound:
                return drawn % bound


def position_map(players, seats):
    """For each position of the deck the seat that gets it and the round of the deal ("Deals")."""
    held = HAND[players] * players
    owners = [(i % held % players, i // held + 1) for i in range(len(DECK[players]))]
    return [(seat if seat in seats else 255, number) for seat, number in owners]


def open_deal(players, seats, z):
    """The hands by seat for each round of the deal, and the seat drawn to start the game."""
    stream, cards = Stream(z), DECK[players][:]
    for i in range(len(cards) - 1, 0, -1):
        j = stream.below(i + 1)
        cards[i], cards[j] = cards[j], cards[i]
    cards = [card[::-1] if turn & 1 else card for card, turn in zip(cards, stream.take(len(cards)))]
    owners = position_map(players, seats)
    rounds = [{seat: [card for card, owner in zip(cards, owners) if owner == (seat, number)]
               for seat in seats} for number in range(1, owners[-1][1] + 1)]
    return rounds, seats[stream.below(len(seats))]


# --- The table ------------------------------------------------------------------------------------

BODIES = {
    "sit": ["Sit"], "commit": ["Commit"], "reveal": ["Reveal"], "choice": ["Choice"],
    "choice opened": ["ChoiceOpen"], "turn": ["Action"], "round end": ["RoundEnd", "RoundEndBack"],
    "result": ["Result"],
}


def ascending(items):
    return all(one < other for one, other in zip(items, items[1:]))


def exclude(one, other):
    """Whether two signed values of a program, records or papers, prove a Fault together."""
    if hasattr(one, "body") and hasattr(other, "body"):
        ready = one.body.kind == other.body.kind == "Ready" and (
            one.body.deal == other.body.deal and one.body.deck != other.body.deck)
        return one.seat == other.seat and (one.base == other.base or ready)
    if hasattr(one, "body") or hasattr(other, "body") or one.base != other.base:
        return False
    one, other = sorted([one.says, other.says], key=lambda says: says.kind)
    if one.kind == other.kind == "Sign":
        return one.motion.number == other.motion.number and one.motion.raw != other.motion.raw
    return one.kind == "Have" and other.kind == "Sign" and one.number == other.motion.number


class Table:
    """The table, from its first record on."""

    def __init__(self, data):
        """The roster."""
        record, signature = signed(RECORD, data)
        roster = record.body
        require(roster.kind == "Roster", "the first record is no Roster")
        self.joins = roster.joins
        self.program = [seat if join.kept_by is None else join.kept_by
                        for seat, join in enumerate(self.joins)]
        keepers = {seat for seat, join in enumerate(self.joins) if join.kept_by is None}
        require(roster.terms.version == 1, "another version")
        require(2 <= len(self.joins) <= 5, "not 2 to 5 players")
        require(len({join.key for join in self.joins}) == len(self.joins), "one key twice")
        require(all(key_table(join.key) for join in self.joins), "no key")
        require(set(self.program) <= keepers, "kept by no keeper")
        self.id = H("game", roster.terms.raw, u32(roster.number), *(j.raw for j in self.joins))
        require(record.base == self.id, "base is not the game's id")
        require(record.state == bytes(32) and record.seat == 0, "not the record of a roster")
        require(self.has_signed(0, "record", record.raw, signature), "signature")
        self.sealed = roster.terms.deal.kind == "Sealed"
        self.head = H("head", self.id, data)
        self.game = Game(len(self.joins))
        self.live, self.outs = set(range(len(self.joins))), [0] * len(self.joins)
        self.faulty = set()  # the seats that are out for a fault
        self.phases = {}  # the number of each phase, by its base
        self.last = {}  # the number of the phase of each seat's last own record
        self.deal = self.attempt = 0
        self.begin("sit", self.live)

    def has_signed(self, seat, use, data, signature):
        return has_signed(self.joins[seat].key, H(use, data), signature)

    def seats_of(self, program):
        """The live seats of a program."""
        return [seat for seat in sorted(self.live) if self.program[seat] == program]

    def begin(self, phase, seats):
        self.phase, self.places = phase, sorted(seats)
        self.base, self.state, self.said = self.head, self.game.digest(), []
        self.phases[self.base] = len(self.phases)

    def add(self, data):
        """The next record ("Phases")."""
        require(self.phase != "complete", "a record after the end")
        record, signature = signed(RECORD, data)
        seat = self.places[len(self.said)]
        require(record.seat == seat, "the place of another seat")
        self.check_place(record)
        if record.body.kind == "Verdict":
            require(signature == bytes(SIGNATURE), "a verdict has no signature")
            self.check_verdict(record)
        else:
            require(self.has_signed(seat, "record", record.raw, signature), "signature")
            self.check_body(seat, record.body)
            self.last[seat] = self.phases[self.base]
        self.head = H("head", self.head, data)
        self.said.append((seat, record.body))
        if len(self.said) == len(self.places):
            self.finish()

    def check_place(self, record):
        require(record.base == self.base, "base")
        require(record.seat in self.places, "the place of another seat")
        require(record.state == self.state, "state")

    def check_body(self, seat, body):
        """What a body has to say ("Phases", "The open deal")."""
        require(body.kind in BODIES[self.phase], f"{body.kind} in the phase {self.phase}")
        if body.kind == "Reveal":
            commit = H("seed", self.t0, u8(seat), body.seed)
            require(commit == self.commits[seat], "the seed does not fit")
        elif body.kind == "ChoiceOpen":
            choice = H("choice", self.choice_base, u8(seat), u8(body.flip), body.salt)
            require(choice == self.choices[seat], "the choice does not fit")
        elif body.kind == "Action":
            self.game.round.plan(body.action)
        elif body.kind == "Result":
            require((body.points, list(body.winners)) == self.game.result(), "the result")
        elif self.phase == "round end":
            require(body.points == self.game.counted[-1][1], "the points of the round")
            if body.kind == "RoundEndBack":
                self.check_returns(body.returns)

    # Going on without a seat

    def read_note(self, data):
        """A signed Note of this game."""
        note, signature = signed(NOTE, data)
        require(note.game == self.id and note.seat < len(self.joins), "a note of another game")
        require(self.has_signed(note.seat, "note", note.raw, signature), "signature of a note")
        return note

    def check_returns(self, returns):
        """The notes of a RoundEndBack ("Coming back")."""
        notes = [self.read_note(data) for data in returns]
        seats = [note.seat for note in notes]
        require(seats and ascending(seats), "not ascending")
        require(not (self.live | self.faulty) & set(seats), "a return of one that may not")
        require(all(note.body.kind == "Return" and note.body.outs == self.outs[note.seat]
                    for note in notes), "no note of this return")

    def check_verdict(self, record):
        """The five conditions of a verdict."""
        motion, votes = record.body.motion, record.body.votes
        live = sorted({self.program[seat] for seat in self.live})
        without = [item.program for item in motion.without]
        voters = [program for program in live if program not in without]
        proven = [item for item in motion.without if item.why.kind != "Silent"]
        require(motion.number and without and ascending(without), "no motion")
        require(set(without) <= set(live), "a program that is not live")
        require(self.program[record.seat] in without, "a verdict on another program")
        require([program for program, _ in votes] == voters, "votes of others")
        require(voters and 2 * (len(voters) + len(proven)) > len(live), "too few votes")
        for program, signature in votes:
            paper = self.base + u8(program) + u32(0) + motion.raw
            require(len(signature) == SIGNATURE, "signature of a vote")
            require(self.has_signed(program, "vote", paper, signature), "signature of a vote")
        for item in proven:
            if item.why.kind == "Left":
                self.check_left(item.program, item.why.note)
            else:
                self.check_fault(item.program, item.why.proof)

    def check_left(self, program, data):
        """The note says Leave, and nothing of the program in the log is newer."""
        note = self.read_note(data)
        require(note.seat == program and note.body.kind == "Leave", "no note of leaving")
        require(note.body.base in self.phases, "left at an unknown base")
        phase = self.phases[note.body.base]
        require(all(self.last[seat] < phase + (note.body.signed >> seat & 1)
                    for seat in self.seats_of(program)), "a record newer than the leaving")

    def check_fault(self, program, proof):
        """One record that is wrong on the open base, or two values that exclude each other."""
        require(1 <= len(proof) <= 2 and ascending(proof), "no proof of a fault")
        values = [self.read_signed(program, data) for data in proof]
        require(exclude(*values) if len(values) == 2 else self.is_wrong(*values),
                "no proof of a fault")

    def read_signed(self, program, data):
        """A record of a seat of the program, or a paper of the program."""
        try:
            value, signature = signed(RECORD, data)
            use, seat = "record", value.seat
            own = [seat for seat, keeper in enumerate(self.program) if keeper == program]
            require(value.body.kind != "Verdict", "a verdict is no record of a seat")
        except Wrong:
            value, signature = signed(PAPER, data)
            use, seat, own = "vote", value.program, [program]
        require(seat in own, "no value of the program")
        require(self.has_signed(seat, use, value.raw, signature), "signature in a proof")
        return value

    def is_wrong(self, value):
        """Whether the value is a record that stands on the open base, and is wrong there."""
        if value.base != self.base or not hasattr(value, "body"):
            return False
        try:
            self.check_place(value)
            self.check_body(value.seat, value.body)
        except Wrong:
            return True
        return False

    def go_without(self):
        """The programs at whose places a verdict stands go out; whether there is one."""
        verdicts = [(seat, body.motion) for seat, body in self.said if body.kind == "Verdict"]
        pays = HAND[len(self.joins)] if self.phase == "reveal" else 0
        for place, motion in verdicts:
            program = self.program[place]
            kinds = {item.program: item.why.kind for item in motion.without}
            for seat in self.seats_of(program):
                self.live.remove(seat)
                self.outs[seat] += 1
                if kinds[program] == "Fault":
                    self.faulty.add(seat)
                self.game.leave(seat, pays)
        return bool(verdicts)

    def come_back(self):
        """The seats come back for which the round end carries the notes ("Coming back")."""
        notes = [[self.read_note(data).seat for data in getattr(body, "returns", [])]
                 for _, body in self.said if body.kind != "Verdict"]
        for seat in {seat for carried in notes for seat in carried}:
            if self.outs[seat] == 1 or all(seat in carried for carried in notes):
                self.live.add(seat)
                self.game.out.remove(seat)
                self.last[seat] = self.phases[self.base]

    # What follows from a phase

    def finish(self):
        """All records of the phase are there ("Phases")."""
        gone, phase = self.go_without(), self.phase
        if phase == "result":
            self.phase = "complete"
        elif self.game.early or (phase == "round end" and self.game.played()):
            self.begin("result", self.live)
        elif phase == "sit":
            self.next_deal()
        elif gone and phase in ("commit", "reveal"):
            self.next_attempt()
        elif phase == "commit":
            self.commits = {seat: body.hash for seat, body in self.said}
            self.begin("reveal", self.dealt_in)
        elif phase == "reveal":
            z = H("open", self.t0, *(body.seed for _, body in self.said))
            self.rounds, self.drawn = open_deal(len(self.joins), self.dealt_in, z)
            self.next_round()
        elif phase == "choice":
            self.choice_base = self.base
            self.choices = {seat: body.hash for seat, body in self.said if seat in self.live}
            self.begin("choice opened", self.choices)
        elif phase == "choice opened":
            for seat, body in self.said:
                if seat in self.live:
                    self.game.round.choose(seat, body.flip)
            self.next_turn()
        elif phase == "turn":
            if not gone:
                self.game.turn(self.said[0][1].action)
            self.next_turn()
        else:
            self.come_back()
            if self.rounds:
                self.next_round()
            else:
                self.next_deal()

    def next_deal(self):
        self.deal, self.attempt = self.deal + 1, 0
        self.next_attempt()

    def next_attempt(self):
        """A deal among the live seats, bound to T0 ("Deals")."""
        deck, self.dealt_in = DECK[len(self.joins)], sorted(self.live)
        owners = position_map(len(self.joins), self.dealt_in)
        self.attempt += 1
        self.t0 = H("deal", self.id, u32(self.deal), u32(self.attempt), self.head,
                    bytes(self.dealt_in), u8(len(self.dealt_in)), u8(len(deck)),
                    H("deck", b"".join(map(bytes, deck))), b"".join(map(bytes, owners)))
        self.begin("commit", self.dealt_in)

    def next_round(self):
        self.game.deal(self.rounds.pop(0), self.drawn)
        self.begin("choice", self.dealt_in)

    def next_turn(self):
        if self.game.running():
            self.begin("turn", [self.game.round.act])
        else:
            self.begin("round end", self.live & set(self.dealt_in))


# --- Files ----------------------------------------------------------------------------------------

def verify(data):
    """The line about a file."""
    number, at, table = 0, len(MAGIC), None
    try:
        require(len(data) <= MAX_FILE, "too long")
        require(data.startswith(MAGIC), "not a log file")
        require(len(data) > at, "no record")
        while at < len(data):
            number += 1
            require(number <= MAX_RECORDS, "too many records")
            require(at + 4 <= len(data), "torn")
            length = int.from_bytes(data[at:at + 4], "little")
            require(1 <= length <= MAX_RECORD, "length")
            record, at = data[at + 4:at + 4 + length], at + 4 + length
            require(at <= len(data), "torn")
            if table is None:
                table = Table(record)
                if table.sealed:
                    return "sealed"
            else:
                table.add(record)
    except Wrong as why:
        return f"wrong {number} {why}"
    return f"right {'complete' if table.phase == 'complete' else 'unfinished'} {number}"


def main(names):
    if names == ["-"]:
        names = [line.rstrip("\n") for line in sys.stdin]
    wrong = False
    for name in names:
        try:
            with open(name, "rb") as file:
                line = verify(file.read(MAX_FILE + 1))
        except OSError:
            line = "wrong 0 cannot be read"
        wrong |= line.startswith("wrong")
        print(line)
    return int(wrong)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
