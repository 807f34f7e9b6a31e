// Numbers, bytes, times and durations for people.

export const NOTHING = "–";

const grouped = new Intl.NumberFormat("en", { maximumFractionDigits: 1 });

/** Gives a number without needless decimals; a dash where it is not known. */
export const amount = (value) => (value === null || value === undefined ? NOTHING : grouped.format(value));

/** Gives a number with its noun. */
export const count = (number, noun) => `${amount(number)} ${noun}${number === 1 ? "" : "s"}`;

/** Gives seconds as a duration. */
export function duration(seconds) {
  if (seconds === null || seconds === undefined) return NOTHING;
  const ms = seconds * 1000;
  if (ms < 0.005) return "0 ms";
  if (ms < 1) return `${ms.toFixed(2)} ms`;
  if (ms < 10) return `${ms.toFixed(1)} ms`;
  if (ms < 1000) return `${ms.toFixed(0)} ms`;
  if (seconds < 120) return `${seconds.toFixed(2)} s`;
  return seconds < 7200 ? `${(seconds / 60).toFixed(1)} min` : `${(seconds / 3600).toFixed(1)} h`;
}

/** Gives a moment on the capture's clock, in seconds. */
export const moment = (seconds) => seconds.toFixed(seconds < 1000 ? 4 : 2);

const encoder = new TextEncoder();

/** Gives how many bytes a text has as UTF-8. */
export const bytesOf = (text) => encoder.encode(text).length;
