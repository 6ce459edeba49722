package dev.doyen.drills;

import org.apache.curator.test.TestingServer;

/** One ZooKeeper server. */
final class ZooKeeper implements StoreServer {

    private final TestingServer server;

    ZooKeeper() throws Exception {
        server = new TestingServer(true);
    }

    @Override
    public String name() {
        return "ZooKeeper";
    }

    @Override
    public int port() {
        return server.getPort();
    }

    @Override
    public String url(String host, int port) {
        return "zookeeper://" + host + ":" + port + "/drill";
    }

    @Override
    public void kill() throws Exception {
        server.stop();
    }

    @Override
    public void startAgain() throws Exception {
        server.restart();
    }

    @Override
    public void close() throws Exception {
        server.close();
    }
}
