import { rejects } from "node:assert/strict";
import { Caller } from "./load.ts";

/** What the server sends before it closes the connection. */
const PARTS: Readonly<Record<string, string>> = {
  "the response": "",
  "the end of its body": "HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\nhalf",
  "its last chunk": "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n4\r\nhalf\r\n",
};

for (const [what, part] of Object.entries(PARTS)) {
  Deno.test(`Caller rejects if the server closes the connection before ${what}`, async () => {
    using listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
    using caller = await Caller.connect(`http://127.0.0.1:${listener.addr.port}`);
    const rejected = rejects(caller.call(new Uint8Array(1)), /has closed the connection$/);
    {
      using connection = await listener.accept();
      await connection.read(new Uint8Array(1));
      await connection.write(new TextEncoder().encode(part));
    }
    await rejected;
  });
}
