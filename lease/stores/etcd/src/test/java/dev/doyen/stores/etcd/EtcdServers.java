package dev.doyen.stores.etcd;

import dev.doyen.testkit.ServerProcess;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Starts etcd servers for tests. Each server is a cluster of one member, with etcd's default durability. */
final class EtcdServers {

    private EtcdServers() {}

    static void assumeInstalled() {
        ServerProcess.assumeInstalled("store etcd", "etcd", "etcd-server");
    }

    static ServerProcess start(Path data) throws Exception {
        return start(data, "http");
    }

    static ServerProcess start(Path data, String scheme, String... settings) throws Exception {
        String peer = "http://127.0.0.1:" + ServerProcess.freePort();
        return ServerProcess.start(data.resolve("etcd.log"), port -> {
            String client = scheme + "://127.0.0.1:" + port;
            var command = new ArrayList<>(List.of(
                    "etcd",
                    "--data-dir",
                    data.resolve("etcd-" + port).toString(),
                    "--listen-client-urls",
                    client,
                    "--advertise-client-urls",
                    client,
                    "--listen-peer-urls",
                    peer,
                    "--initial-advertise-peer-urls",
                    peer,
                    "--initial-cluster",
                    "default=" + peer));
            command.addAll(List.of(settings));
            return command;
        });
    }

    static String version() {
        try {
            var process = new ProcessBuilder("etcd", "--version").start();
            String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            return "etcd " + output.replaceAll("(?s).*etcd Version: ([0-9.]+).*", "$1");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
