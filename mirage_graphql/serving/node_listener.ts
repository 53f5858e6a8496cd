import { createHeaders, createRequestListener, sendResponse } from "@remix-run/node-fetch-server";
import { Buffer } from "node:buffer";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Duplex } from "node:stream";
// @ts-types="npm:@types/ws@^8.18.1"
import { WebSocketServer } from "ws";
import { refusalResponse } from "../http/http_response.ts";
import {
  checkHost,
  isHandshake,
  type RequestHead,
  toMockRequest,
} from "../streams/check_handshake.ts";
import { StreamBreak } from "../streams/result_body.ts";
import { negotiateProtocol } from "../streams/socket_service.ts";
import type { Mock } from "./load_mock.ts";

/** Longer frames end the connection; the protocols' own limit of a message is lower. */
const MAX_FRAME_BYTES = 4_194_304;

/** The listeners of the events of a server of `node:http`, `node:https` or `node:http2`. */
export interface NodeListener {
  /** Answers an HTTP request; the listener of `request`. */
  request(request: IncomingMessage, response: ServerResponse): void;
  /** Opens a WebSocket; the listener of `upgrade`. */
  upgrade(request: IncomingMessage, socket: Duplex, head: Uint8Array): void;
}

/** What answers the requests of a server. */
export type Answerer = Pick<Mock, "respond" | "refuse" | "accept">;

/** Creates the listeners of a server. */
export function createNodeListener(answerer: Answerer): NodeListener {
  const sockets = new WebSocketServer({
    noServer: true,
    clientTracking: false,
    maxPayload: MAX_FRAME_BYTES,
    handleProtocols: (offered) => negotiateProtocol([...offered]) ?? false,
  });
  const answer = createRequestListener((request) => answerer.respond(request), { onError });
  return {
    request(request, response) {
      const head = headOf(request);
      const refused = isHandshake(head) ? answerer.refuse(head) : refuseAddress(head);
      if (refused === undefined) answer(request, response);
      else sendResponse(response, refused).catch(onError);
    },
    upgrade(request, socket, first) {
      // without a listener, a connection that breaks would end the process
      socket.on("error", () => {});
      const head = headOf(request);
      const refused = answerer.refuse(head);
      if (refused !== undefined) return void endWith(socket, refused);
      sockets.handleUpgrade(request, socket, Buffer.from(first), (opened) => {
        answerer.accept(opened, toMockRequest(head));
      });
    },
  };
}

/** A stream that was broken off on purpose is no fault. */
function onError(error: unknown): void {
  if (!(error instanceof StreamBreak)) console.error(error);
}

function headOf(request: IncomingMessage): RequestHead {
  const headers = createHeaders(request);
  const { method = "GET", url = "/", socket } = request;
  const scheme = "encrypted" in socket && socket.encrypted ? "https" : "http";
  const host = request.headers[":authority"] ?? request.headers.host ?? "localhost";
  return { method, url: `${scheme}://${host}${url}`, headers };
}

/** An address that no `Request` can have is answered here; the mock would get none. */
function refuseAddress(head: RequestHead): Response | undefined {
  const refusal = checkHost(head);
  if (refusal === undefined) return undefined;
  const { status, headers, body } = refusalResponse(refusal, "application/json");
  return new Response(JSON.stringify(body), { status, headers });
}

/** Answers a request whose connection is no longer one of HTTP for the server, and ends it. */
async function endWith(socket: Duplex, response: Response): Promise<void> {
  const body = new Uint8Array(await response.arrayBuffer());
  const headers = { ...Object.fromEntries(response.headers), "content-length": body.length };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.write(`HTTP/1.1 ${response.status} ${response.statusText}\r\n${lines.join("")}\r\n`);
  socket.end(body);
}
