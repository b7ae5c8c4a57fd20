import { expect, test } from '@jest/globals';
import { ConfigError, readConfig } from '../../../../src/platform/config';
import { proxySettings } from '../../../../src/platform/network/proxy-settings';

const NONE = { httpProxy: '', httpsProxy: '', noProxy: '' };

test.each([
  [{}, NONE],
  [{ HTTP_PROXY: '', https_proxy: ' ', NO_PROXY: '' }, NONE],
  [{ HTTPS_PROXY: 'http://proxy.example:3128' }, { ...NONE, httpsProxy: 'http://proxy.example:3128' }],
  [
    { https_proxy: '', HTTPS_PROXY: 'https://p.example' },
    { ...NONE, httpsProxy: 'https://p.example' },
  ],
  [
    { http_proxy: 'http://low.example', HTTP_PROXY: 'http://up.example' },
    { ...NONE, httpProxy: 'http://low.example' },
  ],
  [{ HTTP_PROXY: 'proxy.example:3128' }, { ...NONE, httpProxy: 'http://proxy.example:3128' }],
  [{ no_proxy: 'a.example, .b.example' }, { ...NONE, noProxy: 'a.example, .b.example' }],
  [{ NO_PROXY: 'a.example,*' }, { ...NONE, noProxy: '*' }],
])('%j means %j', (env, settings) => {
  expect(proxySettings(env)).toEqual(settings);
});

test.each([
  ['HTTPS_PROXY', 'socks5://me:secret@proxy.example'],
  ['http_proxy', 'http://me:secret@'],
  ['HTTP_PROXY', 'ftp://secret.example'],
])('%s that names no proxy stops the start, and its value is not shown: %s', (name, value) => {
  const read = () => readConfig({ [name]: value });
  expect(read).toThrow(ConfigError);
  expect(read).toThrow(`${name}: give the URL of a proxy, http or https`);
  expect(read).not.toThrow('secret');
});
