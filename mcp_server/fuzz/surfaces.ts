import type { Surface } from "../../test_support/fuzz/surface.ts";
import { boundedFiles } from "./bounded_files.ts";
import { callersFiles } from "./callers_files.ts";
import { decisions } from "./decisions.ts";
import { eventCursors } from "./event_cursors.ts";
import { httpBodies } from "./http_bodies.ts";
import { httpBytes } from "./http_bytes.ts";
import { httpRequests } from "./http_requests.ts";
import { knownHosts } from "./known_hosts.ts";
import { linePatterns } from "./line_patterns.ts";
import { listCursors } from "./list_cursors.ts";
import { listenStreams } from "./listen_streams.ts";
import { outputRanges } from "./output_ranges.ts";
import { peerMessages } from "./peer_messages.ts";
import { secretsFiles } from "./secrets_files.ts";
import { sshConfigs } from "./ssh_configs.ts";
import { stdioLines } from "./stdio_lines.ts";
import { toolArguments } from "./tool_arguments.ts";

/** Everything in which the tool server reads what strangers send. */
export const SERVER_SURFACES: readonly Surface[] = [
  httpBytes,
  httpRequests,
  httpBodies,
  toolArguments,
  boundedFiles,
  outputRanges,
  eventCursors,
  listCursors,
  listenStreams,
  callersFiles,
  secretsFiles,
  knownHosts,
  sshConfigs,
  stdioLines,
  decisions,
  linePatterns,
  peerMessages,
];
