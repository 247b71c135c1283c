//! The lessons: fixed positions in the notation, and what is to be done in each by seat 1.

use super::learn::{Goal, Lesson};
use crate::ui::keymap::Command;

/// Three players; Ana begins. Flipped, her hand is 5 5 5, 1 2 3 4, 8 8, 6 7 8.
const GAME: &str = "\
scout 1
players 3
seat 1 Ana
seat 2 Ben
seat 3 Cy
round 1 start 1
deal 1 1/5 2/5 3/5 9/1 8/2 9/3 8/4 6/8 3/8 2/6 4/7 5/8
deal 2 ? ? ? ? ? ? ? ? ? ? ? ?
deal 3 ? ? ? ? ? ? ? ? ? ? ? ?
";
/// What happens in it, piece by piece.
const CHOSEN: &str = "1 flip\n2 keep\n3 keep\n";
const RUN_LIES: &str = "1 show 4-7\n2 scout left 1 ?\n3 show 1-3 = 3/1 4/1 5/4\n";
const SIXES_LIE: &str = "1 show 1-3\n2 scout left 1 ?\n3 show 1-2 = 6/1 6/3\n";
const SEVENS_LIE: &str = "1 show 1-2\n2 scout left 1 ?\n3 show 1-2 = 7/1 7/2\n";

/// Three players; Ana has single cards only, and Cy begins with 5 6 7.
const SCOUTING: &str = "\
scout 1
players 3
seat 1 Ana
seat 2 Ben
seat 3 Cy
round 1 start 3
deal 1 9/1 1/6 4/2 6/3 2/8 8/7 1/7 3/5 9/4 5/8 8/1 2/5
deal 2 ? ? ? ? ? ? ? ? ? ? ? ?
deal 3 ? ? ? ? ? ? ? ? ? ? ? ?
1 keep
2 keep
3 keep
3 show 1-3 = 5/9 6/4 7/2
";
const SPENT: &str = "\
1 scout left 4 + show 3-5
2 scout left 1 ?
3 show 1-2 = 7/9 7/3
";

/// The same hand; Ben begins.
const BEN_BEGINS: &str = "\
scout 1
players 3
seat 1 Ana
seat 2 Ben
seat 3 Cy
round 1 start 2
deal 1 9/1 1/6 4/2 6/3 2/8 8/7 1/7 3/5 9/4 5/8 8/1 2/5
deal 2 ? ? ? ? ? ? ? ? ? ? ? ?
deal 3 ? ? ? ? ? ? ? ? ? ? ? ?
1 keep
2 keep
3 keep
";
const CY_SCOUTED: &str = "2 show 1-4 = 5/9 6/4 7/2 8/3\n3 scout left 1 ?\n";
const NOTHING_LIES: &str = "2 show 1 = 5/9\n3 scout left 1 ?\n";

/// Two players; Ben begins with two 7s.
const TWO: &str = "\
scout 1
players 2
seat 1 Ana
seat 2 Ben
round 1 start 2
deal 1 9/1 1/6 4/2 6/3 2/8 8/7 1/7 3/5 9/4 5/8 8/1
deal 2 ? ? ? ? ? ? ? ? ? ? ?
1 keep
2 keep
2 show 1-2 = 7/9 7/3
";

/// All lessons, in their order.
pub const LESSONS: [Lesson; 15] = [
    Lesson {
        title: "The number that counts",
        deal: GAME,
        moves: &[CHOSEN],
        words: "Only the upper, large number of a card counts. Choose the card that counts 4: \
                press the letter on it.",
        goal: Goal::Choose("show 7"),
        done: "Right. The small number would count if you flipped the hand.",
        other: "Not that one: look at the large numbers.",
    },
    Lesson {
        title: "Keep or flip",
        deal: GAME,
        moves: &[],
        words: "Before the first turn you may flip your hand, all of it at once. Compare both with \
                Space, and take the one with the groups.",
        goal: Goal::Do(&["flip"]),
        done: "Flipped. From now on your cards stay as they are: you never turn or move one.",
        other: "Kept, this hand has no group: Space flips it.",
    },
    Lesson {
        title: "A group",
        deal: GAME,
        moves: &[CHOSEN],
        words: "Matching cards side by side are a group. Show the three 5s: press the first \
                letter, the last letter, Enter.",
        goal: Goal::Do(&["show 1-3"]),
        done: "Your 5s lie on the table now: they are the active set. The next player beats them \
               or scouts.",
        other: "Allowed, but show all three 5s: a c Enter.",
    },
    Lesson {
        title: "A run",
        deal: GAME,
        moves: &[CHOSEN],
        words: "Consecutive cards side by side are a run, up or down. Show 1 2 3 4.",
        goal: Goal::Do(&["show 4-7"]),
        done: "Tab would have chosen it too. A run goes one way (not 3 4 3) and does not go on \
               from 10 to 1.",
        other: "Allowed, but show the run: d g Enter.",
    },
    Lesson {
        title: "A group beats a run",
        deal: GAME,
        moves: &[CHOSEN, RUN_LIES],
        words: "With the same number of cards, a group beats a run. Beat Cy's run with a group.",
        goal: Goal::Do(&["show 1-3"]),
        done: "You capture what you beat: 3 cards, 3 points. The row with your name counts them.",
        other: "Allowed, but beat it with the 5s: a c Enter.",
    },
    Lesson {
        title: "More cards beat fewer",
        deal: GAME,
        moves: &[CHOSEN, RUN_LIES, SIXES_LIE],
        words: "More cards beat fewer, whatever they are. Beat the two 6s with three cards.",
        goal: Goal::Do(&["show 3-5"]),
        done: "A run of 3 beats any two cards, and captures them.",
        other: "Allowed, but beat them with the run: c e Enter.",
    },
    Lesson {
        title: "Higher beats lower",
        deal: GAME,
        moves: &[CHOSEN, RUN_LIES, SIXES_LIE],
        words: "Same kind, same size: the higher lowest number wins. Beat the 6s with two cards.",
        goal: Goal::Do(&["show 1-2"]),
        done: "A tie is not enough: your set must be better.",
        other: "Allowed, but you can beat the 6s with two cards: a b Enter.",
    },
    Lesson {
        title: "Scout",
        deal: SCOUTING,
        moves: &[],
        words: "Nothing you hold beats 5 6 7. Scout its left card (s), and put it between 4 and 6 \
                with d or the arrows.",
        goal: Goal::Do(&["scout left 4"]),
        done: "You have 4 5 6 now. The rest is still Cy's set, and Cy got a chip: a point.",
        other: "Allowed, but s, then d, makes 4 5 6.",
    },
    Lesson {
        title: "Either end, either way up",
        deal: SCOUTING,
        moves: &[],
        words: "Scout the right end (s, Tab), flip the card (Space) and put it beside your first \
                2.",
        goal: Goal::Do(&["scout right 5 flip", "scout right 6 flip"]),
        done: "Two 2s. A scouted card goes anywhere, either way up; the others see the place, \
               not the side.",
        other: "Allowed, but s Tab Space e makes two 2s.",
    },
    Lesson {
        title: "Scout & Show",
        deal: SCOUTING,
        moves: &[],
        words: "Do both at once: x, the left card to d, Enter; then choose 4 5 6, Enter. What you \
                show must beat what is left.",
        goal: Goal::Do(&["scout left 4 + show 3-5"]),
        done: "You captured the two cards that were left; Cy got a chip. You may show a set \
               without the scouted card.",
        other: "Allowed, but now show, too: x d Enter c e.",
    },
    Lesson {
        title: "Once a round",
        deal: SCOUTING,
        moves: &[SPENT],
        words: "A little later it is your turn again. Try Scout & Show once more: x.",
        goal: Goal::Press(Command::ScoutShow),
        done: "You have used it this round; your row says \"used\". Next round you may again.",
        other: "Allowed, but press x to see what it says.",
    },
    Lesson {
        title: "An empty hand ends the round",
        deal: GAME,
        moves: &[CHOSEN, RUN_LIES, SIXES_LIE, SEVENS_LIE],
        words: "You have three cards left, and Cy's two 7s lie on the table. Show all three.",
        goal: Goal::Do(&["show 1-3"]),
        done: "No card left: the round ends at once. Each captured card and each chip is a point, \
               each card left in a hand costs one. Most points after all rounds win; a tie is \
               shared.",
        other: "Allowed, but show all: a c Enter.",
    },
    Lesson {
        title: "So does a set nobody beats",
        deal: BEN_BEGINS,
        moves: &[CY_SCOUTED],
        words: "Cy scouted. If you scout too, everyone but Ben has: the round ends. Try it.",
        goal: Goal::Scout,
        done: "Nobody beat Ben's set: the round is over, and his cards do not count against him. \
               Yours count against you. A Scout & Show does not count as scouting here.",
        other: "Allowed, but only scout: s Enter.",
    },
    Lesson {
        title: "The table is empty",
        deal: BEN_BEGINS,
        moves: &[NOTHING_LIES],
        words: "Cy scouted the only card. There is nothing to scout and nothing to beat: show any \
                set. Show your first card.",
        goal: Goal::Do(&["show 1"]),
        done: "A single card is a set too, neither group nor run: a higher card beats it, and so \
               does any set of two. What you showed stays yours until somebody beats it.",
        other: "Allowed, but show the 9: a Enter.",
    },
    Lesson {
        title: "Two players",
        deal: TWO,
        moves: &[],
        words: "Each player starts a round with 3 chips. Scouting costs you one, and your turn \
                lasts until you show. Scout.",
        goal: Goal::Scout,
        done: "Still your turn. Two players play without Scout & Show; the round also ends when \
               you can neither show nor scout. A chip you keep is a point. Round 2, the last, is \
               dealt from the cards set aside.",
        other: "Allowed, but scout: s Enter.",
    },
];
