import { defineComponent, onMounted, ref } from "vue";
import { connection } from "../composables/use_connection.ts";
import { login } from "../composables/use_login.ts";
import { session } from "../composables/use_session.ts";
import { eventChecked, eventValue } from "../forms/event_value.ts";

/** Asks for the token. */
export const LoginPage = defineComponent(() => {
  const token = ref("");
  const isKept = ref(false);
  const isBusy = ref(false);
  const input = ref<HTMLInputElement | null>(null);

  async function logIn(event: Event): Promise<void> {
    event.preventDefault();
    isBusy.value = true;
    await session.logIn(token.value.trim(), isKept.value);
    isBusy.value = false;
    input.value?.select();
  }

  onMounted(() => input.value?.focus());

  return () => (
    <main class="login">
      <form onSubmit={logIn}>
        <h1>Trestle</h1>
        <p>Log in with a token of this server.</p>
        <label for="token">Token</label>
        <input
          id="token"
          ref={input}
          type="password"
          required
          autocomplete="current-password"
          value={token.value}
          aria-describedby="login.fault"
          onInput={(event) => token.value = eventValue(event)}
        />
        <div class="field check">
          <input
            id="keep"
            type="checkbox"
            checked={isKept.value}
            onChange={(event) => isKept.value = eventChecked(event)}
          />
          <label for="keep">Keep it until this tab is closed</label>
        </div>
        <p class="fault" id="login.fault" role="alert">{session.fault.value}</p>
        <button type="submit" class="primary" disabled={isBusy.value}>Log in</button>
        {login.settings.value !== undefined && <IssuerLogin />}
        {connection.isAway.value && (
          <button
            type="button"
            class="quiet"
            onClick={() => void session.resume()}
          >
            Try again
          </button>
        )}
      </form>
    </main>
  );
}, { name: "LoginPage" });

/** Lets the issuer say who it is. */
const IssuerLogin = defineComponent(() => {
  const isAdmin = ref(false);

  return () => (
    <>
      <p class="or">Or log in at {new URL(login.settings.value?.issuer ?? location.href).host}.</p>
      <div class="field check">
        <input
          id="login.admin"
          type="checkbox"
          checked={isAdmin.value}
          onChange={(event) => isAdmin.value = eventChecked(event)}
        />
        <label for="login.admin">As an administrator</label>
      </div>
      <p class="fault" role="alert">{login.fault.value}</p>
      <button type="button" onClick={() => void login.begin(isAdmin.value)}>
        Log in at the issuer
      </button>
    </>
  );
}, { name: "IssuerLogin" });
