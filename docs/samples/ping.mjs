import { pingChecks } from './galley.mjs';

// A route of a framework: Request in, Response out.
export async function POST(request) {
  const body = await request.text();
  const signature = request.headers.get('galley-signature');
  if (!(await pingChecks(process.env.GALLEY_PING_SECRET, body, signature))) {
    return new Response(null, { status: 400 });
  }
  setTimeout(synchronize, 0); // your own: galley.sync(store)
  return new Response(null, { status: 204 });
}
