import { deepStrictEqual, match, ok, strictEqual } from "node:assert/strict";
import { Buffer } from "node:buffer";
import {
  type PeerConnection,
  type PeerSftp,
  startHostilePeer,
} from "../mcp_server/testing/hostile_ssh.ts";
import { outputOf } from "../mcp_server/testing/call_tool.ts";
import { createSshTool } from "../mcp_server/testing/ssh_tool.ts";
import { namesIn } from "../mcp_server/testing/write_tool.ts";
import type { HostCopy } from "../mcp_server/toolkit.ts";
import { createTempFolder } from "../test_support/temp_folder.ts";
import { isWholeRun } from "../test_support/tier.ts";
import register from "./ssh-copy.ts";

/** Status codes (draft-ietf-secsh-filexfer-02, section 7). */
const [OK, EOF, MISSING, FAILURE] = [0, 1, 2, 4];
/** The type of an answer with a handle (section 7). */
const HANDLE = 102;
const FILE = { mode: 0o100640, uid: 0, gid: 0, size: 10, atime: 0, mtime: 0 };
const CONTENT = Buffer.from("0123456789");
const MOST_BYTES = 1_000_000;

/** A request as it arrives, and what else the peer has. */
interface Asked {
  readonly sftp: PeerSftp;
  readonly id: number;
  readonly args: readonly unknown[];
  readonly connection: PeerConnection;
}

type Answers = Readonly<Record<string, (asked: Asked) => void>>;

/** What a correct server with one file, and a place for another, answers. */
const CORRECT: Answers = {
  REALPATH: ({ sftp, id, args }) => sftp.name(id, [{ filename: `/home/${args[0]}`, attrs: {} }]),
  STAT: ({ sftp, id, args }) => {
    if (String(args[0]).endsWith("new")) sftp.status(id, MISSING);
    else sftp.attrs(id, FILE);
  },
  FSTAT: ({ sftp, id }) => sftp.attrs(id, FILE),
  OPEN: ({ sftp, id }) => sftp.handle(id, Buffer.from("h")),
  READ: ({ sftp, id, args }) => {
    const part = CONTENT.subarray(Number(args[1]), Number(args[1]) + Number(args[2]));
    if (part.length === 0) sftp.status(id, EOF);
    else sftp.data(id, part);
  },
  ...Object.fromEntries(
    ["WRITE", "FSETSTAT", "CLOSE", "RENAME", "REMOVE"].map((name) => [
      name,
      ({ sftp, id }: Asked) => sftp.status(id, OK),
    ]),
  ),
};

/** What is wrong with the host, and what the copy says of it. */
interface Case {
  readonly answers: Answers;
  readonly direction?: "up" | "down";
  readonly error?: RegExp;
  /** The content of the copy, where there is one. @default {there is none} */
  readonly gives?: string;
  readonly timeoutMs?: number;
  /** Whether it takes seconds. @default {false} */
  readonly isSlow?: boolean;
}

const other = "the host answered with something else";
const reply = (answer: (asked: Asked) => void, ...names: string[]): Answers =>
  Object.fromEntries(names.map((name) => [name, answer]));

const CASES: Readonly<Record<string, Case>> = {
  "is a correct server": { answers: {}, gives: "0123456789" },
  "takes a file correctly": { direction: "up", answers: {} },
  "says that the file is larger than anything is": {
    answers: reply(({ sftp, id }) => sftp.attrs(id, { ...FILE, size: 2 ** 52 }), "FSTAT"),
    error: /it has more than 1000000 bytes$/,
  },
  "says that the file is smaller than it is": {
    answers: reply(({ sftp, id }) => sftp.attrs(id, { ...FILE, size: 1 }), "STAT", "FSTAT"),
    gives: "0123456789",
  },
  "says that the file is larger than it is": {
    answers: reply(({ sftp, id }) => sftp.attrs(id, { ...FILE, size: 900_000 }), "STAT", "FSTAT"),
    error: /it ended after 10 of 900000 bytes$/,
  },
  "has a file that does not end": {
    answers: reply(({ sftp, id, args }) => sftp.data(id, Buffer.alloc(Number(args[2]))), "READ"),
    error: /^Cannot copy more than 1000000 bytes$/,
  },
  "sends one byte for each request": {
    answers: reply(({ sftp, id }) => sftp.data(id, Buffer.alloc(1)), "READ"),
    timeoutMs: 500,
    error: /it took more than 500 ms/,
  },
  "sends nothing for each request": {
    answers: reply(({ sftp, id }) => sftp.data(id, Buffer.alloc(0)), "READ"),
    error: /it ended after 0 of 10 bytes$/,
  },
  "sends more than was asked for": {
    answers: reply(({ sftp, id }) => sftp.data(id, Buffer.alloc(200_000, "x")), "READ"),
    error: /^Cannot copy more than 1000000 bytes$/,
  },
  "never answers": { answers: reply(() => {}, "STAT"), timeoutMs: 500, error: /more than 500 ms/ },
  "never answers a read": {
    answers: reply(() => {}, "READ"),
    timeoutMs: 500,
    error: /more than 500 ms/,
  },
  "closes the channel in the middle": {
    answers: reply(({ sftp }) => sftp.end(), "READ"),
    error: /the host ended SFTP|No response from server/,
  },
  "closes the connection in the middle": {
    answers: reply(({ connection }) => void connection._sock.destroy(), "READ"),
    error: /the connection was lost|the host ended SFTP/,
  },
  "has no handle for the file": {
    answers: reply(({ sftp, id }) => sftp.status(id, OK), "OPEN"),
    error: new RegExp(other),
  },
  "has an empty handle": {
    answers: reply(({ sftp, id }) => sftp.handle(id, Buffer.alloc(0)), "OPEN"),
    error: new RegExp(other),
  },
  "has a handle that is too long": {
    answers: reply(({ sftp, id, connection }) => {
      const packet = Buffer.alloc(1_013);
      packet.writeUInt32BE(1_009, 0);
      packet.writeUInt8(HANDLE, 4);
      packet.writeUInt32BE(id, 5);
      packet.writeUInt32BE(1_000, 9);
      connection._protocol.channelData(sftp.outgoing.id, packet);
    }, "OPEN"),
    error: new RegExp(other),
  },
  "answers with a handle instead of attributes": {
    answers: reply(({ sftp, id }) => sftp.handle(id, Buffer.from("h")), "STAT"),
    error: new RegExp(other),
  },
  "answers with a status instead of attributes": {
    answers: reply(({ sftp, id }) => sftp.status(id, OK), "FSTAT"),
    error: new RegExp(other),
  },
  "answers with names instead of content": {
    answers: reply(({ sftp, id }) => sftp.name(id, [{ filename: "../x", attrs: {} }]), "READ"),
    error: /it ended after 0 of 10 bytes$/,
  },
  "answers with attributes without a mode": {
    answers: reply(({ sftp, id }) => sftp.attrs(id, { size: 10 }), "STAT"),
    error: new RegExp(other),
  },
  "answers requests that there are not": {
    answers: reply(({ sftp, id }) => {
      for (let more = 1; more < 50; more++) sftp.data(id + more * 1_000, CONTENT);
      sftp.attrs(id, FILE);
    }, "STAT"),
    gives: "0123456789",
  },
  "fails with a message of many lines": {
    answers: reply(
      ({ sftp, id }) => sftp.status(id, FAILURE, `no\u001b[2J\n${"x".repeat(30_000)}`),
      "OPEN",
    ),
    error: /^[^\p{Cc}]{0,300}the host answered "x{1,2000}"[^\p{Cc}]{0,300}$/u,
  },
  "has a file that runs as its owner": {
    answers: reply(({ sftp, id }) => sftp.attrs(id, { ...FILE, mode: 0o106755 }), "FSTAT"),
    gives: "0123456789",
  },
  "has names with slashes": {
    direction: "up",
    answers: reply(
      ({ sftp, id }) => sftp.name(id, [{ filename: "../../etc/new", attrs: {} }]),
      "REALPATH",
    ),
    error: new RegExp(other),
  },
  "has no names": {
    direction: "up",
    answers: reply(({ sftp, id }) => sftp.name(id, []), "REALPATH"),
    error: /Response missing path info$/,
  },
  "has no name": {
    direction: "up",
    answers: reply(({ sftp, id }) => sftp.name(id, [{ filename: "", attrs: {} }]), "REALPATH"),
    error: new RegExp(other),
  },
  "answers with a handle instead of a name": {
    direction: "up",
    answers: reply(({ sftp, id }) => sftp.handle(id, Buffer.from("h")), "REALPATH"),
    error: new RegExp(other),
  },
  "does not write": {
    direction: "up",
    answers: reply(({ sftp, id }) => sftp.status(id, FAILURE, "no space"), "WRITE"),
    error: /the host answered "no space"/,
  },
  "does not rename": {
    direction: "up",
    answers: reply(() => {}, "RENAME"),
    timeoutMs: 500,
    error: /more than 500 ms/,
  },
  "answers nothing after a write": {
    direction: "up",
    answers: reply(() => {}, "WRITE", "REMOVE", "CLOSE"),
    isSlow: true,
    timeoutMs: 2_000,
    error: /more than 2000 ms.*its temporary file "\/home\/\.copy-.*" may be left there$/,
  },
};

Deno.test("ssh-copy copies whole or not at all, whatever an SFTP server answers", async (t) => {
  let answers: Answers = {};
  let requests: string[] = [];
  await using peer = await startHostilePeer({
    onSftp: (open, connection) => {
      const sftp = open();
      for (const [request, correct] of Object.entries(CORRECT)) {
        sftp.on(request, (id, ...args) => {
          requests.push(request);
          (answers[request] ?? correct)({ sftp, id, args, connection });
        });
      }
      sftp.on("error", () => {});
    },
  });
  await using folder = await createTempFolder();
  const env = { HOME: peer.home, USER: "u" };
  await using tool = await createSshTool(register, env, { maxCopyBytes: MOST_BYTES });
  const [own, there] = [`${folder.path}/own`, `${folder.path}/copy`];
  await Deno.writeFile(own, CONTENT);
  const connections = [{ host: peer.host }];
  for (const [name, each] of Object.entries(CASES)) {
    if (each.isSlow === true && !isWholeRun) continue;
    const { direction = "down", error = /^$/, gives, timeoutMs = 30_000 } = each;
    await t.step(`that ${name}`, async () => {
      [answers, requests] = [each.answers, []];
      const [from, to] = direction === "up" ? [own, "new"] : ["file", there];
      const outcome = await tool.call({ direction, from, to, connections, timeoutMs });
      const [copy] = outputOf(outcome).results as HostCopy[];
      match(copy?.error?.message ?? "", error);
      deepStrictEqual(
        namesIn(folder.path).toSorted(),
        gives === undefined ? ["own"] : ["copy", "own"],
      );
      const isLeft = requests.includes("WRITE") && requests.at(-1) !== "RENAME" &&
        !requests.includes("REMOVE");
      ok(direction === "down" || !isLeft, requests.join(" "));
      if (gives === undefined) return;
      strictEqual(await Deno.readTextFile(there), gives);
      strictEqual((Deno.statSync(there).mode ?? 0) & 0o7000, 0);
      await Deno.remove(there);
    });
  }
});
