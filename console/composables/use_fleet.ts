import type { FleetServer } from "@trestle/mcp-server";
import { type ShallowRef, shallowRef } from "vue";
import { type Problem, toProblem } from "../api/problem.ts";
import { server } from "../api/server.ts";

/** The servers that share the jobs. */
export interface Fleet {
  /** `undefined` if the server names none. */
  readonly servers: Readonly<ShallowRef<readonly FleetServer[] | undefined>>;
  /** Why they can't be loaded at the moment. */
  readonly problem: Readonly<ShallowRef<Problem | undefined>>;
  /** Loads them again. Never rejects. */
  load(): Promise<void>;
}

const servers = shallowRef<readonly FleetServer[]>();
const problem = shallowRef<Problem>();

/** The fleet that the server belongs to, as every page of the console sees it. */
export function useFleet(): Fleet {
  return { servers, problem, load };
}

async function load(): Promise<void> {
  try {
    servers.value = (await server.servers()).data.servers;
    problem.value = undefined;
  } catch (error) {
    problem.value = await toProblem(error);
    if (problem.value.status === 404) servers.value = undefined;
  }
}
