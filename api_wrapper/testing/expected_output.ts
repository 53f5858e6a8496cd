/** What the examples return if everything works, as JSON. */
export const EXPECTED_OUTPUT: readonly unknown[] = [
  "New",
  "New",
  "Renamed",
  "Replaced",
  204,
  [1, 2, 3],
  ["Ada"],
  "Post 1",
  null,
  true,
];
