import { useEffect, useRef, useState } from 'preact/hooks';
import { failureOf } from '../../failure.ts';
import { teamApi } from '../api.ts';
import { signedIn, signInAt } from '../signed-in.ts';

/** Exchanges the token for a cookie that scripts cannot read. The token is stored nowhere else. */
export function SignInPage() {
  const [failure, setFailure] = useState('');
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
      setFailure(code === 'UNAUTHORIZED' ? 'Invalid token.' : `${message} ${hint}`);
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
        <h1>Sign in to the team’s memory</h1>
        <label>
          Your token
          <input
            ref={field}
            type="password"
            autocomplete="current-password"
            spellcheck={false}
            required
            maxLength={200}
            aria-describedby="failure"
          />
        </label>
        <p id="failure" role="alert" class="bad">
          {failure}
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
          The operator of the server creates a token for you with <code>backstory team token create</code>
        </p>
      </form>
    </main>
  );
}
