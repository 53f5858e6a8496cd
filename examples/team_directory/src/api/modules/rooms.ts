import { defineApi } from "../define_api.ts";

export interface Room {
  readonly id: string;
  readonly name: string;
  readonly seats: number;
  readonly floor: number;
  readonly features: readonly string[];
}

const http = defineApi("/rooms");

export const rooms = {
  list: () => http.get<Room[]>(),
};
