import { type ShallowRef, shallowRef } from "vue";
import { type FleetServer, server } from "../api/server.ts";

/** The servers of the fleet. */
export interface Fleet {
  /** `undefined` if the server has no fleet, or the caller may not see it. */
  readonly servers: Readonly<ShallowRef<readonly FleetServer[] | undefined>>;
  /** Loads them again. Never rejects. */
  load(): Promise<void>;
}

const servers = shallowRef<readonly FleetServer[]>();

/** The fleet that the server belongs to. */
export function useFleet(): Fleet {
  return {
    servers,
    load: async () => {
      servers.value = await server.servers().then(({ data }) => data.servers, () => undefined);
    },
  };
}
