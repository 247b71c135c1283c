"use strict";
(() => {
  const game = JSON.parse(document.getElementById("game").textContent);
  const { steps, hands, names, rounds } = game;
  const $ = (id) => document.getElementById(id);
  const log = [...$("log").children];
  const PAUSE_MS = 1500;
  let at = 0;
  let timer = null;
  let settled = null;

  /* Text only ever becomes text: nothing here reads markup. */
  const el = (tag, name, ...inside) => {
    const node = document.createElement(tag);
    if (name) node.className = name;
    node.append(...inside);
    return node;
  };
  const many = (count, noun) => `${count} ${noun}${count === 1 ? "" : "s"}`;
  const signed = (points) => (points < 0 ? `−${-points}` : `${points}`);
  const fact = (count, noun) => {
    const words = many(count, noun).split(" ");
    return [el("b", "", words[0]), ` ${words.slice(1).join(" ")}`];
  };

  /* Two characters a card: digits as it lies (0 is ten), letters where the side is unknown. */
  const digit = (char) => (char === "0" ? 10 : Number(char));
  const letter = (char) => char.charCodeAt(0) - 64;
  const face = (code) => {
    if (code === "??") {
      const card = el("span", "card sealed", "?");
      return [card, "face-down card"];
    }
    if (code >= "A") {
      const [a, b] = [letter(code[0]), letter(code[1])];
      const card = el("span", "card turned", el("span", `up n${a}`, `${a}`),
        el("span", "or", "or"), el("span", `up n${b}`, `${b}`));
      return [card, `${a} or ${b}, its side is not known`];
    }
    const [up, down] = [digit(code[0]), digit(code[1])];
    const card = el("span", "card", el("span", `up n${up}`, `${up}`),
      el("span", `down n${down}`, `${down}`));
    return [card, `${up}, turned ${down}`];
  };
  const codes = (text) => text.match(/../g) || [];
  const cards = (text, label, fresh) => {
    const list = el("ul", "cards");
    list.setAttribute("role", "list");
    list.setAttribute("aria-label", label);
    codes(text).forEach((code, index) => {
      const [card, words] = face(code);
      card.setAttribute("role", "img");
      const item = el("li", index === fresh ? "new" : "", card);
      if (fresh !== null) {
        const mark = index === fresh ? "▲" : "";
        item.append(el("span", "place", `${mark}${index + 1}`));
        const added = index === fresh ? ", just scouted" : "";
        card.setAttribute("aria-label", `Place ${index + 1}: ${words}${added}`);
      } else {
        card.setAttribute("aria-label", words);
      }
      list.append(item);
    });
    return list;
  };

  const drawTable = (step) => {
    const table = $("table");
    if (!step.hands) {
      table.replaceChildren(el("p", "whose", "No cards are dealt yet."));
    } else if (!step.active) {
      table.replaceChildren(el("p", "whose", "The table is empty."));
    } else {
      const owner = el("b", "", names[step.owner]);
      table.replaceChildren(
        el("p", "whose", "On the table: ", el("b", "", step.kind), " of ", owner),
        cards(step.active, `${step.kind} of ${names[step.owner]}`, null),
      );
    }
  };

  const handOf = (step, seat) => {
    const view = $("view").value;
    const open = view === "all" || view === String(seat);
    return hands[open ? step.hands[seat] : step.seen[seat]];
  };

  const drawSeats = (step) => {
    let unknown = false;
    $("seats").replaceChildren(...names.map((name, seat) => {
      const now = step.turn_of.includes(seat);
      const panel = el("section", `seat panel${now ? " now" : ""}`);
      panel.setAttribute("aria-label", name);
      const who = el("div", "who", el("h2", "", now ? `▸ ${name}` : name));
      if (now) who.append(el("span", "chip", step.choosing ? "keeps or turns" : "to play"));
      if (step.away && step.away.includes(seat)) who.append(el("span", "facts", "out"));
      panel.append(who);
      if (!step.hands) return panel;
      const hand = handOf(step, seat);
      const shown = codes(hand);
      unknown = unknown || (shown.some((code) => code >= "?") && $("view").value === "all");
      const facts = el("span", "facts");
      facts.append(el("span", "", ...fact(shown.length, "card")),
        el("span", "", el("b", "", `${step.captured[seat]}`), " captured"),
        el("span", "", ...fact(step.tokens[seat], "chip")));
      if (step.may && step.may[seat]) facts.append(el("span", "", "Scout & Show ready"));
      who.append(facts);
      const fresh = step.fresh && step.fresh[0] === seat ? step.fresh[1] : -1;
      const row = cards(hand, `Hand of ${name}`, fresh);
      if (!shown.length) row.append(el("li", "none", "No cards left."));
      panel.append(row);
      return panel;
    }));
    $("unknown").hidden = !unknown;
    $("unknown").textContent = "“?” and “or” mark what this record does not reveal: a card " +
      "never shown, or which way up a scouted card was put.";
  };

  const grid = (caption, head, rows) => {
    const line = (cells, headed) => {
      const row = el("tr");
      cells.forEach((cell, index) => {
        const node = el(headed || index === 0 ? "th" : "td", "", cell);
        if (headed || index === 0) node.scope = headed ? "col" : "row";
        if (!headed && index === cells.length - 1) node.className = "sum";
        row.append(node);
      });
      return row;
    };
    const body = el("tbody", "", ...rows.map((cells) => line(cells, false)));
    const table = el("table", "", el("caption", "", caption), el("thead", "", line(head, true)),
      body);
    return table;
  };

  const scoreTable = (step) => {
    const won = step.fact === "complete" ? game.winners : [];
    const numbers = Array.from({ length: game.of }, (_, index) => index);
    const rows = names.map((name, seat) => {
      const points = numbers.map((index) => {
        const round = rounds[index];
        return round && round.over <= at ? signed(round.rows[seat].points) : "·";
      });
      const label = won.includes(seat) ? `★ ${name}, winner` : name;
      return [label, ...points, signed(step.totals[seat])];
    });
    const head = ["", ...numbers.map((index) => `R${index + 1}`), "total"];
    const table = grid(won.length ? "Result" : "Scores so far", head, rows);
    [...table.tBodies[0].rows].forEach((row, seat) => {
      row.classList.toggle("best", won.includes(seat));
    });
    return table;
  };

  const drawCount = (step) => {
    const count = $("count");
    const round = step.counted === undefined ? null : rounds[step.counted];
    const complete = step.fact === "complete";
    count.hidden = !round && !complete;
    if (complete) count.replaceChildren(el("div", "scroll", scoreTable(step)));
    if (!round) return;
    const rows = round.rows.map((row, seat) => [names[seat], `${row.captured}`,
      `+ ${row.tokens}`, row.free ? `0 (${row.hand} not counted)` : `− ${row.hand}`,
      signed(row.points), signed(row.total)]);
    count.replaceChildren(el("div", "scroll", grid(`Round ${round.round}: ${round.ending}`,
      ["", "captured", "chips", "hand", "points", "total"], rows)));
  };

  const drawScores = (step) => {
    $("scores").hidden = step.fact === "complete";
    $("scores").replaceChildren(el("div", "scroll", scoreTable(step)));
  };

  const centre = () => {
    const [list, line] = [$("log"), log[at]];
    list.scrollTop = line.offsetTop - (list.clientHeight - line.offsetHeight) / 2;
  };

  const drawLog = () => {
    log.forEach((line, index) => {
      line.classList.toggle("later", index > at);
      if (index === at) line.setAttribute("aria-current", "step");
      else line.removeAttribute("aria-current");
      line.firstElementChild.tabIndex = index === at ? 0 : -1;
    });
    centre();
  };

  const drawSteps = (step, words) => {
    $("at").value = at;
    $("at").setAttribute("aria-valuetext", `Step ${at + 1} of ${steps.length}: ${words}`);
    $("where").textContent = `Step ${at + 1} of ${steps.length}`;
    $("first").disabled = $("back").disabled = at === 0;
    $("next").disabled = $("last").disabled = at === steps.length - 1;
    $("round").value = step.fact === "complete" ? "end" : `${step.round}`;
    const last = rounds[step.round - 1] ? rounds[step.round - 1].turns : 0;
    $("turn").max = last;
    if (document.activeElement !== $("turn")) $("turn").value = step.turn;
    $("turn").disabled = last === 0;
    $("turns").textContent = last ? `of ${last}` : "";
  };

  const draw = () => {
    const step = steps[at];
    const words = log[at].textContent;
    $("line").textContent = words;
    drawCount(step);
    drawTable(step);
    drawSeats(step);
    drawScores(step);
    drawLog();
    drawSteps(step, words);
  };

  const go = (to) => {
    at = Math.max(0, Math.min(steps.length - 1, Math.trunc(to)));
    draw();
    /* Into the address, so that a reload or a copied link comes back here; after a rest, because
       browsers complain of many changes in a moment, as a drag of the slider makes. */
    clearTimeout(settled);
    settled = setTimeout(() => history.replaceState(null, "", `#${at + 1}`), 400);
  };
  const pause = () => {
    clearInterval(timer);
    timer = null;
    $("play").textContent = "Play";
    $("play").setAttribute("aria-pressed", "false");
  };
  const play = () => {
    if (timer !== null) return pause();
    if (at === steps.length - 1) go(0);
    $("play").textContent = "Pause";
    $("play").setAttribute("aria-pressed", "true");
    timer = setInterval(() => {
      go(at + 1);
      if (at === steps.length - 1) pause();
    }, PAUSE_MS);
    return undefined;
  };
  const jump = (to) => {
    pause();
    go(to);
  };
  const find = (round, turn) => steps.findIndex((step) => step.round === round &&
    step.turn === turn);

  const option = (value, text) => {
    const node = el("option", "", text);
    node.value = value;
    return node;
  };
  const setUp = () => {
    $("at").max = steps.length - 1;
    if (steps[0].round === 0) $("round").append(option("0", "start"));
    rounds.forEach(({ round }) => $("round").append(option(round, `${round} of ${game.of}`)));
    if (steps[steps.length - 1].fact === "complete") $("round").append(option("end", "result"));
    $("view").append(option("all", "show all"), option("none", "hide all"));
    names.forEach((name, seat) => $("view").append(option(seat, `only ${name}`)));
    $("first").onclick = () => jump(0);
    $("back").onclick = () => jump(at - 1);
    $("next").onclick = () => jump(at + 1);
    $("last").onclick = () => jump(steps.length - 1);
    $("play").onclick = play;
    $("at").oninput = () => jump(Number($("at").value));
    $("view").onchange = draw;
    $("round").onchange = () => {
      const round = $("round").value;
      jump(round === "end" ? steps.length - 1 : steps.findIndex((step) =>
        step.round === Number(round)));
    };
    $("turn").oninput = () => {
      const to = find(steps[at].round, Number($("turn").value));
      if ($("turn").value !== "" && to >= 0) jump(to);
    };
    $("turn").onblur = () => { $("turn").value = steps[at].turn; };
    log.forEach((line, index) => { line.firstElementChild.onclick = () => jump(index); });
  };

  const KEYS = { ArrowLeft: () => at - 1, ArrowRight: () => at + 1, Home: () => 0,
    End: () => steps.length - 1 };
  document.addEventListener("keydown", (event) => {
    const target = event.target;
    if (event.ctrlKey || event.altKey || event.metaKey || event.shiftKey) return;
    if (target.matches("select, #turn")) return;
    if (event.key === " " && !target.matches("button, summary")) {
      event.preventDefault();
      play();
    } else if (KEYS[event.key]) {
      event.preventDefault();
      jump(KEYS[event.key]());
    }
  });

  if (!steps.length) return;
  ["tools", "stage", "steps"].forEach((id) => { $(id).hidden = false; });
  setUp();
  const wanted = () => Number(location.hash.slice(1)) - 1;
  window.addEventListener("resize", centre);
  window.addEventListener("hashchange", () => { if (wanted() >= 0) jump(wanted()); });
  go(wanted() >= 0 ? wanted() : 0);
})();
