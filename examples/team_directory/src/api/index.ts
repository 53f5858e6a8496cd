export { cancelPendingRequests, useApi } from "@trestle/api-wrapper";
export { instance } from "./define_api.ts";
export { type Booking, bookings, type NewBooking } from "./modules/bookings.ts";
export { type Room, rooms } from "./modules/rooms.ts";
