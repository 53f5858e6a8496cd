/** A list that is not empty. */
export type Words = readonly [string, ...string[]];

/** Names of people. */
export const FIRST_NAMES: Words = [
  "Ada",
  "Grace",
  "Alan",
  "Edsger",
  "Barbara",
  "Donald",
  "Frances",
  "John",
];
/** Names of families. */
export const LAST_NAMES: Words = [
  "Lovelace",
  "Hopper",
  "Turing",
  "Dijkstra",
  "Liskov",
  "Knuth",
  "Allen",
];
/** Names of cities. */
export const CITIES: Words = ["Lisbon", "Oslo", "Kyoto", "Accra", "Lima", "Ghent", "Quebec"];
/** Names of countries. */
export const COUNTRIES: Words = [
  "Portugal",
  "Norway",
  "Japan",
  "Ghana",
  "Peru",
  "Belgium",
  "Canada",
];
/** Names of streets. */
export const STREETS: Words = [
  "Mill Lane",
  "Station Road",
  "Garden Street",
  "Harbour View",
  "Oak Avenue",
];
/** Names of companies. */
export const COMPANIES: Words = [
  "Northwind",
  "Bluebird Works",
  "Harbour & Sons",
  "Quiet Machines",
  "Fernhill",
];
/** Words to put before a noun. */
export const WORDS: Words = [
  "amber",
  "brisk",
  "copper",
  "distant",
  "early",
  "gentle",
  "hollow",
  "lively",
];
/** Nouns. */
export const NOUNS: Words = [
  "river",
  "garden",
  "engine",
  "letter",
  "harbour",
  "lantern",
  "orchard",
  "window",
];
/** Names of colours. */
export const COLOURS: Words = ["red", "green", "blue", "silver", "black", "white"];
