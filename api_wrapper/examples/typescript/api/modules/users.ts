import { defineApi } from "../define_api.ts";

export interface User {
  name: string;
}

const http = defineApi("/users");

export const users = {
  list: () => http.get<User[]>(),
};
