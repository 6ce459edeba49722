import { createHmac } from "node:crypto";
import { createServer } from "node:http";

const [keyName, secret] = process.env.HUB_KEY.split(/:(.*)/s); // appId.keyId:secret
const users = new Map([["session=1b9e", "ann"]]); // the sessions of your application
const encode = (value) => Buffer.from(JSON.stringify(value)).toString("base64url");

function token(user) {
  const now = Math.floor(Date.now() / 1000);
  const claims = {
    iat: now,
    exp: now + 3600,
    "x-ably-clientId": user,
    "x-ably-capability": JSON.stringify({ orders: ["subscribe", "publish", "presence", "lead"] }),
  };
  const signed = `${encode({ alg: "HS256", kid: keyName })}.${encode(claims)}`;
  return `${signed}.${createHmac("sha256", secret).update(signed).digest("base64url")}`;
}

const server = createServer((request, response) => {
  const user = users.get(request.headers.cookie);
  if (request.url.split("?")[0] !== "/token" || !user) {
    response.writeHead(401).end();
  } else {
    response.writeHead(200, { "Content-Type": "text/plain" }).end(token(user));
  }
});
server.listen(Number(process.argv[2]), "localhost", () =>
  console.log(`http://localhost:${server.address().port}/token`),
);
