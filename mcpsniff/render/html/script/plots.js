// Small pictures of numbers: each says in words what it shows.

import { svg } from "./dom.js";
import { amount, duration } from "./units.js";

const SPREAD = { width: 150, height: 22 };

/** Gives durations (seconds) as a histogram over a logarithmic axis from `least` to `most`, the median marked. */
export function spread({ answers, bins, least, most, median }) {
  const { width, height } = SPREAD;
  const at = (seconds) => (Math.log(Math.max(seconds, least) / least) / Math.log(most / least)) * (bins.length - 1);
  const tallest = Math.max(...bins);
  const step = width / bins.length;
  const bars = bins.map((number, bin) => {
    const tall = number === 0 ? 0 : Math.max(2, (number / tallest) * (height - 3));
    return svg("rect", { x: bin * step, y: height - tall, width: step - 1, height: tall });
  });
  const tick = (at(median) + 0.5) * step;
  return svg(
    "svg.spread",
    {
      viewBox: `0 0 ${width} ${height}`,
      role: "img",
      "aria-label": `${answers} times around ${duration(median)}`,
    },
    bars,
    svg("line", { x1: 0, x2: width, y1: height - 0.5, y2: height - 0.5 }),
    svg("line.median", { x1: tick, x2: tick, y1: 0, y2: height }),
  );
}

/** Gives a bar of parts side by side: [[class, value]…], where `most` fills the whole width. */
export function stacked(parts, most) {
  let left = 0;
  const boxes = parts.map(([name, value]) => {
    const width = most > 0 ? (value / most) * 300 : 0;
    const box = svg(
      `rect.part-${name}`,
      { x: left, y: 2, width, height: 12 },
      svg("title", {}, `${name}: ${amount(value)} bytes`),
    );
    left += width;
    return box;
  });
  const words = parts.map(([name, value]) => `${name} ${amount(value)}`).join(", ");
  return svg(
    "svg.stacked",
    { viewBox: "0 0 300 16", preserveAspectRatio: "none", role: "img", "aria-label": words },
    boxes,
  );
}

const LINES = { width: 560, height: 240, left: 62, right: 118, top: 12, bottom: 34 };

/**
 * Gives straight lines over a number of calls: [{name, fixed, each}], from 0 to `calls`, with a mark where they meet at
 * `meet` (or null).
 */
export function lines(series, calls, meet) {
  const { width, height, left, right, top, bottom } = LINES;
  const most = Math.max(...series.map(({ fixed, each }) => fixed + each * calls)) || 1;
  const x = (number) => left + (number / calls) * (width - left - right);
  const y = (bytes) => height - bottom - (bytes / most) * (height - top - bottom);
  const grid = [0, 0.5, 1].map((share) => [
    svg("line.grid", { x1: left, x2: width - right, y1: y(most * share), y2: y(most * share) }),
    svg("text", { x: left - 8, y: y(most * share) + 4, "text-anchor": "end" }, amount(Math.round(most * share))),
  ]);
  const drawn = series.map(({ name, fixed, each }) => [
    svg(`line.series.${name}`, { x1: x(0), y1: y(fixed), x2: x(calls), y2: y(fixed + each * calls) }),
    svg(
      `text.series.${name}`,
      { x: x(calls) + 8, y: y(fixed + each * calls) + 4 },
      `${name} ${amount(Math.round(fixed + each * calls))}`,
    ),
  ]);
  const numbers = [0, Math.round(calls / 2), calls].map((number) =>
    svg("text", { x: x(number), y: height - bottom + 18, "text-anchor": "middle" }, amount(number)),
  );
  const words = series.map(
    ({ name, fixed, each }) => `${name}: ${amount(fixed)} bytes and ${amount(each)} more with each call`,
  );
  return svg(
    "svg.lines",
    { viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": words.join("; ") },
    grid,
    numbers,
    svg("text", { x: (left + width - right) / 2, y: height - 2, "text-anchor": "middle" }, "calls"),
    drawn,
    meet === null ? null : meeting(x(meet), y(series[0].fixed + series[0].each * meet), y(0), meet),
  );
}

const meeting = (x, y, floor, calls) => [
  svg("line.meet", { x1: x, x2: x, y1: y, y2: floor }),
  svg("circle.meet", { cx: x, cy: y, r: 4 }),
  svg("text.meet", { x: x + 8, y: y + 18 }, `${amount(calls)} calls`),
];
