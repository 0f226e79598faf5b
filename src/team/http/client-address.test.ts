import { describe, expect, it } from 'vitest';
import { clientAddressBehind } from './client-address.ts';

const from =
  (headers: Record<string, string>) =>
  (name: string): string | undefined =>
    headers[name];

describe('[team-proxy] The address of a client', () => {
  const behind = clientAddressBehind('10.0.0.0/8, 192.168.1.7,fd00::/8');
  const of = (peer: string, headers: Record<string, string> = {}) => behind(peer, from(headers));

  it('is the address of the peer, unless the peer is a trusted proxy', () => {
    expect(clientAddressBehind(undefined)('1.2.3.4', from({ 'x-forwarded-for': '5.6.7.8' }))).toBe('1.2.3.4');
    expect(of('1.2.3.4', { 'x-forwarded-for': '5.6.7.8' })).toBe('1.2.3.4');
    expect(of('192.168.1.8', { forwarded: 'for=5.6.7.8' })).toBe('192.168.1.8');
    expect(of('::ffff:1.2.3.4')).toBe('1.2.3.4');
  });

  it('is the rightmost forwarded address that is not a trusted proxy, whatever is to the left of it', () => {
    expect(of('10.0.0.1', { 'x-forwarded-for': '5.6.7.8' })).toBe('5.6.7.8');
    expect(of('::ffff:10.0.0.1', { 'x-forwarded-for': '6.6.6.6, 5.6.7.8, 10.1.1.1' })).toBe('5.6.7.8');
    expect(of('fd00::1', { 'x-forwarded-for': '5.6.7.8:1234' })).toBe('5.6.7.8');
    expect(of('10.0.0.1', { forwarded: 'for=6.6.6.6, for="[2001:db8::1]:99";proto=https' })).toBe(
      '2001:db8::1',
    );
    expect(of('10.0.0.1', { forwarded: 'proto=https;For=5.6.7.8' })).toBe('5.6.7.8');
  });

  it('is the address of the proxy if the headers name no client, or two different ones', () => {
    for (const headers of [
      {},
      { 'x-forwarded-for': '' },
      { 'x-forwarded-for': 'unknown' },
      { 'x-forwarded-for': '10.0.0.2, 10.0.0.3' },
      { forwarded: 'for=_hidden' },
      { forwarded: 'by=5.6.7.8' },
      { 'x-forwarded-for': '5.6.7.8', forwarded: 'for=9.9.9.9' },
    ])
      expect([headers, of('10.0.0.1', headers as Record<string, string>)]).toEqual([headers, '10.0.0.1']);
    expect(of('10.0.0.1', { 'x-forwarded-for': '5.6.7.8', forwarded: 'for=5.6.7.8' })).toBe('5.6.7.8');
  });

  it('refuses invalid ranges', () => {
    for (const wrong of ['proxy', '10.0.0.0/33', '10.0.0.0/', '10.0.0.0/8/8', 'fd00::/129', '10.0.0.1,'])
      expect(() => clientAddressBehind(wrong), wrong).toThrow('--trusted-proxy');
  });
});
