/**
 * Names of the getters and methods that the host's classes add to Mirage's model:
 * `class Person extends Model { get fullName() {...} }`. A getter in `Model.extend({...})` is none:
 * Mirage reads it once, when the class is made.
 *
 * @param prototype Of the class that Mirage made of the host's; Mirage's own additions stand there.
 */
export function hostGetters(prototype: object): ReadonlySet<string> {
  const [, ...chain] = chainOf(prototype);
  const names = chain.slice(0, -1).flatMap((one) =>
    Object.entries(Object.getOwnPropertyDescriptors(one))
      .filter(([name, { get, value }]) =>
        name !== "constructor" && (get !== undefined || typeof value === "function")
      )
      .map(([name]) => name)
  );
  return new Set(names);
}

/** The prototypes from the given one to the one of Mirage's base class, which extends nothing. */
function chainOf(prototype: object): object[] {
  const chain: object[] = [];
  let next: object | null = prototype;
  while (next !== null && next !== Object.prototype) {
    chain.push(next);
    next = Object.getPrototypeOf(next);
  }
  return chain;
}
