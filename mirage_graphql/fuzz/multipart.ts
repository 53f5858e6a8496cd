import fc from "fast-check";
import { edited } from "../../test_support/fuzz/edited.ts";
import { defineSurface, type Surface } from "../../test_support/fuzz/surface.ts";
import { checkAlive, checkResponse, createFuzzMock } from "./mock.ts";

const QUERY = "mutation ($input: PersonInput!) { describe(input: $input) }";
const OPERATIONS = JSON.stringify({
  query: QUERY,
  variables: { input: { photo: null, photos: [null, null], nested: { photo: null } } },
});
const PATH = fc.oneof(
  fc.constantFrom(
    "variables.input.photo",
    "variables.input.photos.1",
    "variables.input.nested.photo",
    "variables.input",
    "variables.__proto__.photo",
    "__proto__.polluted",
    "constructor.prototype.polluted",
    "0.variables.input.photo",
    "query",
    "",
    ".",
    "variables.input.photos.length",
  ),
  edited(fc.constant("variables.input.photo")),
);
const FILES = fc.constantFrom("0", "1", "operations", "map", "__proto__", "");
const MAP = fc.oneof(
  { weight: 4, arbitrary: fc.dictionary(FILES, fc.array(PATH, { maxLength: 3 }), { maxKeys: 3 }) },
  fc.jsonValue(),
).map((map) => JSON.stringify(map));
const TEXTS = fc.oneof(
  { weight: 4, arbitrary: fc.constant(OPERATIONS) },
  fc.constant(`[${OPERATIONS},${OPERATIONS}]`),
  edited(fc.constant(OPERATIONS)),
  fc.json(),
);
const FILE = fc.record({
  name: FILES,
  filename: fc.oneof(
    fc.constantFrom('filename="a.txt"', "filename=a", "filename*=UTF-8''%e2%82%ac", "", "filename"),
    fc.string({ maxLength: 8 }).map((name) => `filename="${name}"`),
  ),
  type: fc.constantFrom("text/plain", "image/png", "", "x", "text/plain; charset=utf-16"),
  content: fc.oneof(fc.string(), fc.constant("x".repeat(1_001))),
});

const FORM = fc.tuple(TEXTS, MAP, fc.array(FILE, { maxLength: 4 }), fc.boolean()).map((
  [operations, map, files, isMapFirst],
) => {
  const texts = [part('name="operations"', "", operations), part('name="map"', "", map)];
  const parts = files.map(({ name, filename, type, content }) =>
    part(`name="${name}"; ${filename}`, type, content)
  );
  const all = isMapFirst ? [...parts, ...texts.reverse()] : [...texts, ...parts];
  return `${all.join("")}--x--\r\n`;
});

/** The form of a multipart request: its parts, what they are called, and where files belong. */
export const multipart: Surface = defineSurface<{ body: string; boundary: string }>({
  name: "graphql-multipart",
  open: () => {
    const mock = createFuzzMock();
    return Promise.resolve({
      inputs: fc.record({
        body: fc.oneof({ weight: 2, arbitrary: FORM }, edited(FORM)),
        boundary: fc.oneof(
          { weight: 9, arbitrary: fc.constant("boundary=x") },
          fc.constantFrom("", "boundary=", 'boundary="x', "boundary=y", "Boundary=x; a"),
        ),
      }),
      check: async ({ body, boundary }) => {
        const headers = { "content-type": `multipart/form-data; ${boundary}` };
        const request = new Request("http://mock.test/", { method: "POST", headers, body });
        await checkResponse(await mock.handler(request));
        if ("polluted" in {}) throw new Error("Object.prototype has changed");
        await checkAlive(mock.handler);
      },
      [Symbol.asyncDispose]: () => {
        mock.close();
        return Promise.resolve();
      },
    });
  },
});

function part(disposition: string, type: string, content: string): string {
  const field = type === "" ? "" : `Content-Type: ${type}\r\n`;
  return `--x\r\nContent-Disposition: form-data; ${disposition}\r\n${field}\r\n${content}\r\n`;
}
