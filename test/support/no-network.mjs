/** Loaded before anything else, also in threads: any use of the network prints a message and fails. */
import dns from "node:dns";
import http from "node:http";
import https from "node:https";
import net from "node:net";

const refuse = (what) => () => {
  process.stderr.write(`NETWORK: ${what}\n`);
  throw new Error(`The network was asked for: ${what}`);
};

globalThis.fetch = refuse("fetch");
net.Socket.prototype.connect = refuse("connect");
http.request = refuse("http");
https.request = refuse("https");
http.get = refuse("http");
https.get = refuse("https");
dns.lookup = refuse("dns");
