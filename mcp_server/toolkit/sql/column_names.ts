/** Makes column names the keys of one object: a repeated name gets `_2`, `_3`, whichever is free. */
export function uniqueNames(names: readonly string[]): string[] {
  const given = new Set(names);
  const taken = new Set<string>();
  return names.map((name) => {
    let unique = name;
    for (let count = 2; taken.has(unique) || (unique !== name && given.has(unique)); count++) {
      unique = `${name}_${count}`;
    }
    taken.add(unique);
    return unique;
  });
}
