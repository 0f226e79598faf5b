import tls from 'node:tls';

/** Errors of a certificate that no trusted authority signed, such as that of a company's own authority. */
const untrusted = [
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'UNABLE_TO_GET_ISSUER_CERT',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'DEPTH_ZERO_SELF_SIGNED_CERT',
];

let trustsSystem = false;

export const isUntrusted = (error: unknown): boolean =>
  error instanceof Error &&
  error.cause instanceof Error &&
  'code' in error.cause &&
  untrusted.includes(String(error.cause.code));

/**
 * `fetch`, which also trusts the certificate authorities of the system. They are loaded only when a certificate needs
 * them, because that takes about 100 ms. The handshake fails before anything is sent, so nothing is sent twice.
 */
export async function fetchTrusted(url: string, init: RequestInit): Promise<Response> {
  try {
    return await fetch(url, init);
  } catch (error) {
    if (trustsSystem || !isUntrusted(error)) throw error;
    trustsSystem = true;
    tls.setDefaultCACertificates([...tls.getCACertificates('default'), ...tls.getCACertificates('system')]);
    return fetch(url, init);
  }
}
