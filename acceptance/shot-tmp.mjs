import { chromium } from "playwright-core";
const [,, url, prefix, ...acts] = process.argv;
const b = await chromium.launch({ executablePath: "/usr/bin/chromium", args: ["--no-sandbox","--disable-gpu","--disable-quic","--no-first-run","--disable-background-networking"], timeout: 90000 });
const c = await b.newContext({ viewport: { width: 1180, height: 900 } });
c.setDefaultTimeout(90000);
const p = await c.newPage();
p.on("console", m => console.log("console", m.type(), m.text()));
p.on("pageerror", e => console.log("pageerror", e.message));
await p.goto(url);
await p.waitForFunction(() => document.body.dataset.live === "true");
for (const a of acts) {
  if (a.startsWith("wait:")) await p.waitForTimeout(Number(a.slice(5)));
  else if (a.startsWith("until:")) { await p.waitForFunction(a.slice(6)).catch(e => console.log("timeout", a)); }
  else if (a.startsWith("shot:")) {
    for (const s of ["light","dark"]) { await p.emulateMedia({ colorScheme: s }); await p.screenshot({ path: `${prefix}-${a.slice(5)}-${s}.png`, fullPage: true, animations: "disabled" }); }
  } else if (a.startsWith("size:")) { const [w,h]=a.slice(5).split("x").map(Number); await p.setViewportSize({width:w,height:h}); }
  else { await p.click(a); }
  if (!a.startsWith("shot")) console.log(a, JSON.stringify(await p.evaluate(() => ({...document.body.dataset}))));
}
await b.close();
