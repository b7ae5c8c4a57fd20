import { aMarketplace, anAccount, closeAll, failureOf } from './server';

/** A process of its own, because only at its start can one be told to trust a certificate. */
async function main(): Promise<void> {
  const [, , url = ''] = process.argv;
  const acceptance = { rateId: 'r'.repeat(24), paymentMethodId: 'p-1', coverage: null };
  const error = (await failureOf(aMarketplace(anAccount(url)).acceptRate(acceptance))) as object;
  const { name, outcome, code } = { name: '', outcome: '', code: '', ...error };
  process.stdout.write(JSON.stringify({ name, outcome, code }));
  await closeAll();
}

main().catch((error: unknown) => {
  process.stderr.write(String(error));
  process.exitCode = 1;
});
