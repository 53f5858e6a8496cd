import { type Request, Response, type Server } from "miragejs";

interface BookingRecord {
  readonly id: string;
  readonly roomId: string;
  readonly title: string;
  readonly from: string;
  readonly until: string;
}

/** Adds the REST half of the server: rooms and today's bookings, in the same database. */
export function addRoomRoutes(server: Server, viewerId: string): void {
  const { db } = server;

  function answer(respond: (request: Request) => Response | object | undefined) {
    return (_schema: unknown, request: Request) => respond(request) ?? new Response(404);
  }

  // Mirage returns a snapshot of a table, so it is read again for every request.
  const bookings = (): BookingRecord[] => db.bookings?.slice() ?? [];

  server.namespace = "api";
  server.get("/rooms", answer(() => db.rooms?.slice()));
  server.get("/bookings", answer(() => bookings().sort((a, b) => a.from.localeCompare(b.from))));
  server.post(
    "/bookings",
    answer(({ requestBody }) => {
      const by = db.people?.find(viewerId)?.name;
      const booking = { ...JSON.parse(requestBody), by, mine: true };
      return clash(bookings(), booking) ?? db.bookings?.insert(booking);
    }),
  );
  server.patch(
    "/bookings/:id",
    answer(({ params: { id = "" }, requestBody }) => {
      const booking = { ...db.bookings?.find(id), ...JSON.parse(requestBody) };
      return clash(bookings(), booking) ?? db.bookings?.update(id, booking);
    }),
  );
  server.delete(
    "/bookings/:id",
    answer(({ params: { id = "" } }) => {
      db.bookings?.remove(id);
      return new Response(204);
    }),
  );
  server.namespace = "";
}

/** The response to a booking that conflicts with another one. */
function clash(bookings: readonly BookingRecord[], wanted: BookingRecord): Response | undefined {
  const other = bookings.find(({ id, roomId, from, until }) =>
    id !== wanted.id && roomId === wanted.roomId && from < wanted.until && wanted.from < until
  );
  if (other === undefined) return undefined;
  const message = `“${other.title}” has the room from ${other.from} to ${other.until}.`;
  return new Response(409, {}, { message });
}
