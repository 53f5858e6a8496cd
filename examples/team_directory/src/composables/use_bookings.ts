import { computed } from "vue";
import { type Booking, bookings as bookingsApi, useApi } from "../api/index.ts";
import { useToasts } from "./use_toasts.ts";

const STEP_MINUTES = 30;

/** The bookings of today. */
export function useBookings() {
  const { say } = useToasts();
  const { data, error, call } = useApi(bookingsApi.list);

  /** Shows the later end immediately, and reloads the bookings if the server rejects it. */
  async function extend({ id, title, until }: Booking): Promise<void> {
    const later = addMinutes(until, STEP_MINUTES);
    set(id, { until: later });
    try {
      const answer = await bookingsApi.move(id, later);
      set(id, answer.data);
      say(`“${title}” now ends at ${later}.`);
    } catch (failure) {
      say(`“${title}” still ends at ${until}. ${(failure as Error).message}`, "failed");
      await reload();
    }
  }

  const reload = () => call().catch(() => {});

  function set(id: Booking["id"], changes: Partial<Booking>): void {
    data.value = data.value?.map((booking) =>
      booking.id === id ? { ...booking, ...changes } : booking
    );
  }

  return {
    bookings: computed(() => data.value ?? []),
    error,
    reload,
    extend,
  };
}

function addMinutes(time: string, minutes: number): string {
  const [hours = 0, rest = 0] = time.split(":").map(Number);
  const sum = Math.min(hours * 60 + rest + minutes, 23 * 60 + 59);
  return [Math.floor(sum / 60), sum % 60].map((part) => `${part}`.padStart(2, "0")).join(":");
}
