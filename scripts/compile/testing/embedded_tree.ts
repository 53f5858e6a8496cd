import { Buffer } from "node:buffer";
import * as z from "zod";

/** What a compiled program contains. */
export interface EmbeddedTree {
  /** How the program is run. */
  readonly metadata: z.output<typeof Metadata>;
  /** The content of each file by its path. */
  readonly files: ReadonlyMap<string, Uint8Array>;
  /** Size of everything embedded, in bytes. */
  readonly bytes: number;
}

const Metadata = z.object({
  permissions: z.record(z.string(), z.unknown()),
  entrypoint_key: z.string(),
  unstable_config: z.object({ features: z.array(z.string()) }),
});

/** Where the content of a file starts, and how long it is. */
const Place = z.tuple([z.number(), z.number()]);

const FileEntry = z.object({ File: z.object({ n: z.string(), o: Place }) });

const DirEntry = z.object({
  Dir: z.object({
    n: z.string(),
    get e() {
      return z.array(z.union([FileEntry, DirEntry]));
    },
  }),
});

const Entries = z.array(z.union([FileEntry, DirEntry]));

const LENGTH_BYTES = 8;

/** Reads what Deno 2.9 has put behind the base program: texts of JSON, each after its length. */
export function readEmbeddedTree(program: Uint8Array): EmbeddedTree {
  const all = Buffer.from(program.buffer, program.byteOffset, program.byteLength);
  const metadata = readPart('{"argv":');
  const tree = readPart('[{"Dir":', metadata.end);
  const start = tree.end + LENGTH_BYTES;
  return {
    metadata: Metadata.parse(JSON.parse(metadata.text)),
    files: new Map(filesOf(Entries.parse(JSON.parse(tree.text)), "")),
    bytes: lengthBefore(start),
  };

  function readPart(opening: string, from = 0): { text: string; end: number } {
    const at = all.indexOf(opening, from);
    if (at < LENGTH_BYTES) throw new RangeError("Cannot read the program: nothing is embedded");
    const end = at + lengthBefore(at);
    return { text: all.toString("utf8", at, end), end };
  }

  function lengthBefore(at: number): number {
    return Number(all.readBigUInt64LE(at - LENGTH_BYTES));
  }

  function* filesOf(
    entries: z.output<typeof Entries>,
    prefix: string,
  ): Generator<[path: string, content: Uint8Array]> {
    for (const entry of entries) {
      if ("Dir" in entry) yield* filesOf(entry.Dir.e, `${prefix}${entry.Dir.n}/`);
      else yield [prefix + entry.File.n, contentAt(entry.File.o)];
    }
  }

  function contentAt([offset, length]: z.output<typeof Place>): Uint8Array {
    return all.subarray(start + offset, start + offset + length);
  }
}
