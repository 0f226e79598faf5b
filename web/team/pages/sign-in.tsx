import { useEffect, useRef, useState } from 'preact/hooks';
import { failureOf } from '../../failure.ts';
import { teamApi } from '../api.ts';
import { signedIn, signInAt } from '../signed-in.ts';

/** The door. The token is exchanged for a cookie that no script can read, and stays nowhere else. */
export function SignInPage() {
  const [trouble, setTrouble] = useState('');
  const [isTrying, setTrying] = useState(false);
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => {
    document.title = 'Sign in · Backstory';
    field.current?.focus();
  }, []);
  const enter = async () => {
    setTrying(true);
    try {
      await teamApi.signIn(field.current?.value.trim() ?? '');
      signedIn(await teamApi.me(), await teamApi.projects());
    } catch (error) {
      const { code, message, hint } = failureOf(error);
      setTrouble(code === 'UNAUTHORIZED' ? 'This token opens nothing.' : `${message} ${hint}`);
      setTrying(false);
      field.current?.select();
    }
  };
  return (
    <main class="door">
      <form
        class="door-form"
        onSubmit={(event) => {
          event.preventDefault();
          void enter();
        }}
      >
        <p class="brand">
          <img src="icon.svg" alt="" width="32" height="32" />
          <strong>Backstory</strong>
        </p>
        <h1>What does the team know?</h1>
        <label>
          Your token
          <input
            ref={field}
            type="password"
            autocomplete="current-password"
            spellcheck={false}
            required
            maxLength={200}
            aria-describedby="trouble"
          />
        </label>
        <p id="trouble" role="alert" class="bad">
          {trouble}
        </p>
        <button type="submit" class="primary" disabled={isTrying}>
          Sign in
        </button>
        {signInAt.value !== '' && (
          <a class="button" href={signInAt.value}>
            Sign in with your account
          </a>
        )}
        <p class="muted">
          Whoever runs the server gives you one: <code>backstory team token create</code>
        </p>
      </form>
    </main>
  );
}
