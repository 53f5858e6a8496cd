import { ok, strictEqual, throws } from "node:assert/strict";
import { ToolError } from "../shared/error.ts";
import { expandHome, toFileError } from "./file_error.ts";

function systemError(code: string): Error {
  return Object.assign(new Error(`${code}: secret detail`), { code });
}

Deno.test("toFileError() describes the system's errors", async (t) => {
  const cases: [error: Error, code: string, state: string][] = [
    [systemError("ENOENT"), "NOT_FOUND", "it does not exist; check the path"],
    [systemError("EACCES"), "ACCESS_DENIED", "the server's user has no permission for it"],
    [systemError("EROFS"), "ACCESS_DENIED", "its file system is read-only"],
    [
      systemError("EAGAIN"),
      "NO_DATA",
      "it has no data now; use a command with a time-out to wait for some",
    ],
    [systemError("EMFILE"), "TOO_MANY_FILES", "too many files are open; try again in a moment"],
    [systemError("EIO"), "FILE_ERROR", "the system answered EIO"],
    [systemError("constructor"), "FILE_ERROR", "the system answered constructor"],
    [
      new Deno.errors.NotCapable("secret detail"),
      "ACCESS_DENIED",
      "the server was started without permission for it",
    ],
    [
      new Deno.errors.InvalidData("secret detail"),
      "INVALID_PATH",
      "its symbolic link has a target that is not UTF-8",
    ],
  ];
  for (const [cause, code, state] of cases) {
    await t.step(cause.message, () => {
      const error = toFileError(cause, { action: "read", path: "/a\nb" });
      ok(error instanceof ToolError);
      strictEqual(error.message, `Cannot read "/a\\nb": ${state}`);
      strictEqual(error.code, code);
      strictEqual(error.cause, cause);
    });
  }
});

Deno.test("toFileError() returns other errors unchanged", () => {
  const refusal = new ToolError("Cannot read: it is a folder", { code: "NOT_A_FILE" });
  const aborted = new DOMException("stopped", "AbortError");
  for (const error of [refusal, aborted, new TypeError("a bug"), "text", undefined]) {
    strictEqual(toFileError(error, { action: "read", path: "/x" }), error);
  }
});

Deno.test("expandHome() replaces ~ at the start of a path as a shell does", () => {
  const cases = [
    ["~", "/home/a", "/home/a"],
    ["~/", "/home/a", "/home/a/"],
    ["~/b/~", "/home/a", "/home/a/b/~"],
    ["~/b", "/home/a//", "/home/a/b"],
    ["~", "/", "/"],
    ["~/b", "/", "/b"],
  ] as const;
  for (const [path, home, expanded] of cases) strictEqual(expandHome(path, { home }), expanded);
  for (const path of ["", "a", "/~", "./~", "~a", "~root/b", "a/~/b"]) {
    strictEqual(expandHome(path, { home: "/home/a" }), path);
  }
});

Deno.test("expandHome() refuses ~ without a home", () => {
  for (const home of [undefined, "", "home"]) {
    throws(() => expandHome("~/b", { home }), { code: "NO_HOME", message: /^Cannot use "~\/b": / });
  }
});
