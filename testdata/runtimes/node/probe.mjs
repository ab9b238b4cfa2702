// Prints what node-redlock makes of configuration, and how long it takes on a
// frozen server. node probe.mjs NAME args…
import Redis from "ioredis";
import Redlock from "redlock";
import { createClient } from "@redis/client";
import dotenv from "dotenv";
import YAML from "yaml";
import { parse as parseProperties } from "dot-properties";
import { parse as parseTOML } from "smol-toml";
import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";
import { once } from "node:events";

const say = (row) => console.log(JSON.stringify(row));
const sleep = (ms) => new Promise((r) => setTimeout(r, ms));
const at = (addr, more = {}) => {
  const [host, port] = addr.split(":");
  const c = new Redis({ host, port: Number(port), lazyConnect: false, ...more });
  c.on("error", () => {});
  return c;
};

async function ready() {
  say({ ready: true });
  await once(process.stdin, "data");
}

const constant = (key) => key.replace(/([a-z])([A-Z])/g, "$1_$2").replaceAll(".", "_").toUpperCase();
const nested = (tree) => (key) => key.split(".").reduce((value, part) => value?.[part], tree);
const limits = ["stopWork", "maxHold", "unlockRetry", "acquireWait"].map((key) => `application.${key}`); // the application's own

// How a program loads each form: a getter of a key's value.
const loaders = {
  json: (text) => { const m = JSON.parse(text); return (key) => m[key] ?? m[`${key}_ms`]; }, // the unit stands in the name
  yaml: (text) => nested(YAML.parse(text)),
  toml: (text) => nested(parseTOML(text)),
  properties: (text) => { const m = parseProperties(text); return (key) => m[key]; },
  dotenv: (text) => { const m = dotenv.parse(text); return (key) => m[constant(key)]; },
  env: () => (key) => process.env[constant(key)],
};

const probes = {
  // FORM FILE pairs: the settings of a redlock and an ioredis built from files.
  async forms(...pairs) {
    for (let i = 0; i + 1 < pairs.length; i += 2) {
      const get = loaders[pairs[i]](readFileSync(pairs[i + 1], "utf8"));
      const numbers = (...keys) => Object.fromEntries(keys.map((key) => [key, Number(get(key))]));
      const c = new Redis({ lazyConnect: true, ...numbers("commandTimeout", "maxRetriesPerRequest") });
      const r = new Redlock([c], numbers("driftFactor", "retryCount", "retryDelay", "retryJitter", "automaticExtensionThreshold"));
      const own = Object.fromEntries(limits.map((key) => [key, get(key)]).filter(([, text]) => text !== undefined));
      say({ service: pairs[i + 1].split("/").pop(), form: pairs[i], ...own, ...r.settings, ...numbers("duration"), using: String(get("using")) === "true",
        commandTimeout: c.options.commandTimeout, maxRetriesPerRequest: c.options.maxRetriesPerRequest });
    }
  },
  // The settings that redlock and ioredis took over from emitted modules.
  async values(...files) {
    for (const file of files) {
      const m = await import(pathToFileURL(file));
      const c = new Redis({ lazyConnect: true, ...m.client });
      const r = new Redlock([c], m.settings);
      say({ service: file.split("/").pop(), duration: m.duration, ...r.settings,
        commandTimeout: c.options.commandTimeout, maxRetriesPerRequest: c.options.maxRetriesPerRequest });
    }
  },
  // DURATION THRESHOLD pairs: does using() take them?
  async edges(addr, ...pairs) {
    const c = at(addr, { commandTimeout: 500 });
    for (let i = 0; i + 1 < pairs.length; i += 2) {
      const duration = Number(pairs[i]);
      const r = new Redlock([c], { automaticExtensionThreshold: Number(pairs[i + 1]), retryCount: 0 });
      r.on("error", () => {});
      let taken = true, why = "";
      try {
        await r.using([`edge-${i}`], duration, async () => {});
      } catch (e) {
        taken = false;
        why = String(e.message);
      }
      say({ duration: pairs[i], threshold: pairs[i + 1], taken, why });
    }
  },
  // When using() aborts its signal after the server froze.
  async frozen(addr, commandTimeout, retryCount, duration, threshold, limit) {
    const c = at(addr, Number(commandTimeout) > 0 ? { commandTimeout: Number(commandTimeout), maxRetriesPerRequest: 0 } : {});
    const r = new Redlock([c], { retryCount: Number(retryCount), retryDelay: 50, retryJitter: 0, automaticExtensionThreshold: Number(threshold) });
    r.on("error", () => {});
    let start = 0, seen = -1;
    const work = () => r.using([`frozen-${process.pid}`], Number(duration), async (signal) => {
      start = performance.now();
      signal.addEventListener?.("abort", () => { seen = performance.now() - start; });
      await ready();
      const end = performance.now() + Number(limit);
      while (performance.now() < end && !signal.aborted) await sleep(10);
      if (signal.aborted && seen < 0) seen = performance.now() - start;
      say({ aborted_ms: seen });
      process.exit(0);
    });
    for (let tries = 0; start === 0 && tries < 20; tries++) { // a busy machine misses a short commandTimeout
      await work().catch((e) => console.error(String(e)));
    }
  },
  // The waiting counts against the lease: what is left of one that was got
  // late.
  async late(addr) {
    const holder = at(addr), c = at(addr);
    await holder.set("late", "someone", "PX", 700, "NX");
    const r = new Redlock([c], { retryCount: 20, retryDelay: 100, retryJitter: 0 });
    const lock = await r.acquire(["late"], 1000);
    say({ left_ms: lock.expiration - Date.now(), pttl_ms: await holder.pttl("late") });
    // A retryCount of -1 waits for longer than the lease; so do tries whose
    // answers are slow, by 100 ms each and no delay between.
    await holder.set("ever", "someone", "PX", 1500, "NX");
    const ever = await new Redlock([c], { retryCount: -1, retryDelay: 100, retryJitter: 0 }).acquire(["ever"], 1000);
    say({ left_ms: ever.expiration - Date.now() });
    await holder.set("slow", "someone", "PX", 1500, "NX");
    const evalsha = c.evalsha.bind(c);
    c.evalsha = async (...args) => { const reply = await evalsha(...args); await sleep(100); return reply; };
    const slow = await new Redlock([c], { retryCount: 20, retryDelay: 10, retryJitter: 0 }).acquire(["slow"], 1000);
    say({ left_ms: slow.expiration - Date.now() });
  },
  // Locks by hand: the lease of each, and whether it waits for the key's owner.
  // Last the owner that a late del removes.
  async byHand(addr, ...calls) {
    const redis = at(addr), [host, port] = addr.split(":");
    const client = await createClient({ socket: { host, port: Number(port) } }).connect();
    for (const call of calls) {
      const run = new Function("redis", "client", "key", "token", `return (async () => { ${call} })();`);
      await redis.del("hand");
      await run(redis, client, "hand", "a");
      const pttl = await redis.pttl("hand");
      await redis.set("hand", "another");
      await run(redis, client, "hand", "a");
      say({ call, pttl_ms: pttl, kept: (await redis.get("hand")) === "another" });
    }
    await redis.set("hand", "late", "PX", 20);
    await sleep(50);
    await redis.set("hand", "next", "PX", 60000, "NX");
    await redis.del("hand");
    say({ call: "a bare del", pttl_ms: await redis.pttl("hand"), kept: false });
  },
};

const [name, ...args] = process.argv.slice(2);
await probes[name](...args);
process.exit(0);
