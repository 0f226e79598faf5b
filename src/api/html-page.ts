// The colours and shapes of web/style. The page is for strangers too, so it loads no file of the viewer.
const style = `:root{color-scheme:light dark;--ink:light-dark(#1c1c21,#ededf0);--line:light-dark(#cfcfc9,#3d4049)}
body{max-width:26rem;margin:12vh auto;padding:0 16px;text-align:center;background:light-dark(#fafaf8,#101113);color:light-dark(#62646d,#9b9ea8);font:15px/1.5 ui-sans-serif,system-ui,-apple-system,"Segoe UI",Roboto,"Noto Sans","Liberation Sans",sans-serif}
svg{width:48px}h1{margin:14px 0 10px;color:var(--ink);font-size:1.3rem;letter-spacing:-.015em}a{color:light-dark(#4a3fd1,#a5a0ff)}
code{white-space:nowrap;padding:2px 6px;border-radius:4px;background:light-dark(#f3f3f0,#1d1f23);color:var(--ink);font-family:ui-monospace,Menlo,Consolas,"DejaVu Sans Mono",monospace;font-size:.86em}
label{display:block;margin:1rem 0}input,button{font:inherit;color:var(--ink);background:light-dark(#fff,#17181b);border:1px solid var(--line);border-radius:5px;padding:6px 12px}input{display:block;width:100%;box-sizing:border-box;margin-top:4px}button{cursor:pointer;font-weight:550}`;

const icon =
  '<svg viewBox="0 0 32 32" aria-hidden="true"><rect width="32" height="32" rx="8" fill="#4a3fd1"/><path d="M10 8.5v15" stroke="#b9b4ff" stroke-width="2.2"/><path d="M15 9.5h9M15 16h6M15 22.5h9" stroke="#fff" stroke-width="2.6" stroke-linecap="round"/><g fill="#fff"><circle cx="10" cy="9.5" r="2.6"/><circle cx="10" cy="16" r="2.6"/><circle cx="10" cy="22.5" r="2.6"/></g></svg>';

/** A page of the server itself, in the style of the viewer. `body` is markup. Scripts and requests are disabled. */
export const htmlPage = (heading: string, body: string): string =>
  `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${heading} · Backstory</title>
<style>${style}</style><main>${icon}<h1>${heading}</h1>${body}</main></html>`;

export const htmlPageHeaders = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy':
    "default-src 'none'; style-src 'unsafe-inline'; form-action 'self'; frame-ancestors 'none'",
};
