// The rails beside the lanes that join a call with its retries: columns that do not collide.

const COLUMNS = 3;

/**
 * Gives, for each index of an item, the rails that pass it: {column, part}, where part is first, leg, last or through.
 * `chains` are lists of rows; `places` says the index of each.
 */
export function railsOf(chains, places) {
  const rails = new Map();
  const free = new Array(COLUMNS).fill(-1); // index up to which a column is taken
  for (const chain of chains) {
    const legs = [...new Set(chain.map((row) => places.get(row)).filter((index) => index !== undefined))].sort(
      (a, b) => a - b,
    );
    if (legs.length < 2) continue;
    const [first, last] = [legs[0], legs.at(-1)];
    const column = free.findIndex((end) => end < first);
    if (column < 0) continue;
    free[column] = last;
    for (let index = first; index <= last; index++) {
      const part = index === first ? "first" : index === last ? "last" : legs.includes(index) ? "leg" : "through";
      rails.set(index, [...(rails.get(index) ?? []), { column, part }]);
    }
  }
  return rails;
}
