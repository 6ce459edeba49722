/**
 * A server that implements rooms, presence and one leader for each room with Socket.IO, as a user of Socket.IO could
 * write it. The options follow the documentation of Socket.IO for many connections: the server uses only WebSocket and
 * no compression, and discards the first HTTP request of each connection.
 */
import { createServer } from "node:http";
import { Server } from "socket.io";

const http = createServer();
const io = new Server(http, { transports: ["websocket"], serveClient: false, perMessageDeflate: false });
/** The state of each room: { members: Map of id -> data, leader: id or null }. */
const rooms = new Map();

io.engine.on("connection", (raw) => {
  raw.request = null;
});
io.on("connection", (socket) => {
  let room = null;
  let id = null;
  socket.on("listen", (name, done) => {
    socket.join(name);
    done([...(rooms.get(name)?.members.keys() ?? [])]);
  });
  socket.on("enter", (name, as, listens, done) => {
    room = name;
    id = as;
    const state = rooms.get(name) ?? { members: new Map(), leader: null };
    rooms.set(name, state);
    state.members.set(as, "here");
    if (listens) socket.join(name);
    done(listens ? [...state.members.keys()] : []);
    io.to(name).emit("entered", as);
  });
  socket.on("claim", () => {
    const state = rooms.get(room);
    if (state === undefined || state.leader !== null) return;
    state.leader = id;
    io.to(room).emit("leads", id);
  });
  socket.on("publish", (name, data, done) => {
    io.to(name).emit("t", data);
    done?.();
  });
  socket.on("disconnect", () => {
    const state = rooms.get(room);
    if (state === undefined) return;
    state.members.delete(id);
    if (state.leader === id) state.leader = null;
    io.to(room).emit("left", id);
  });
});
http.listen(Number(process.argv[2]), "127.0.0.1", () => console.log("listening"));
