import { defineApi } from "../define_api.ts";

export interface Booking {
  readonly id: string;
  readonly roomId: string;
  readonly title: string;
  /** Time of day, such as `09:30`. */
  readonly from: string;
  readonly until: string;
  /** Name of the person who booked. */
  readonly by: string;
  readonly mine: boolean;
}

export type NewBooking = Pick<Booking, "roomId" | "title" | "from" | "until">;

const http = defineApi("/bookings");

export const bookings = {
  list: () => http.get<Booking[]>(),
  create: (booking: NewBooking) => http.post<Booking>(booking),
  move: (id: Booking["id"], until: Booking["until"]) => http.patch<Booking>(id, { until }),
  remove: (id: Booking["id"]) => http.delete(id),
};
