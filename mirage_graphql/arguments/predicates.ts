/** Whether an item matches; `undefined` if that is unknown, as with `null` in SQL. */
export type Predicate<Item> = (item: Item) => boolean | undefined;

/** Matches if all parts do: `false` takes precedence, then unknown. */
export function allOf<Item>(parts: readonly Predicate<Item>[]): Predicate<Item> {
  const [only, ...others] = parts;
  if (only !== undefined && others.length === 0) return only;
  return (item) => {
    let result: boolean | undefined = true;
    for (const part of parts) {
      const fits = part(item);
      if (fits === false) return false;
      if (fits === undefined) result = undefined;
    }
    return result;
  };
}

/**
 * Matches if one of the parts does: `true` takes precedence, then unknown. Without parts, nothing
 * matches.
 */
export function anyOf<Item>(parts: readonly Predicate<Item>[]): Predicate<Item> {
  return (item) => {
    let result: boolean | undefined = false;
    for (const part of parts) {
      const fits = part(item);
      if (fits === true) return true;
      if (fits === undefined) result = undefined;
    }
    return result;
  };
}

/** Matches if the part doesn't; unknown stays unknown. */
export function notOf<Item>(part: Predicate<Item>): Predicate<Item> {
  return (item) => {
    const fits = part(item);
    return fits === undefined ? undefined : !fits;
  };
}
