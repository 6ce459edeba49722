package dev.doyen.stores.s3;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.doyen.store.LeaseStore;
import dev.doyen.stores.objects.Azurite;
import dev.doyen.stores.objects.ContractLine;
import dev.doyen.stores.objects.ServerProcess;
import dev.doyen.testkit.LeaseStoreContract;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** Runs the store contract on S3Proxy, another S3 server, which stores its objects in Azurite. */
class S3ProxyLeaseStoreTest extends LeaseStoreContract {

    @RegisterExtension
    static final ContractLine LINE =
            new ContractLine("s3 (S3Proxy " + System.getProperty("s3proxy.version") + " before Azurite)");

    @TempDir
    static Path directory;

    private static final Pattern LISTENING = Pattern.compile("\\{127\\.0\\.0\\.1:(\\d+)\\}");

    private static Optional<Azurite> azurite = Optional.empty();
    private static Optional<ServerProcess> proxy = Optional.empty();

    @BeforeAll
    static void start() throws IOException {
        azurite = Azurite.start(directory);
        assumeTrue(azurite.isPresent(), "Azurite is not installed; run npm ci");
        Path settings = Files.writeString(
                directory.resolve("s3proxy.properties"),
                String.join(
                        "\n",
                        "s3proxy.authorization=none",
                        "s3proxy.endpoint=http://127.0.0.1:0",
                        "jclouds.provider=azureblob-sdk",
                        "jclouds.identity=" + Azurite.ACCOUNT,
                        "jclouds.credential=" + Azurite.KEY,
                        "jclouds.endpoint=" + azurite.orElseThrow().server() + "/" + Azurite.ACCOUNT));
        proxy = Optional.of(ServerProcess.start(
                List.of(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:TieredStopAtLevel=1",
                        "-jar",
                        Path.of(System.getProperty("servers"), "s3proxy.jar").toString(),
                        "--properties",
                        settings.toString()),
                directory,
                LISTENING));
        S3Mock.makeBucket(uri(), S3Mock.BUCKET);
    }

    @AfterAll
    static void stop() {
        proxy.ifPresent(ServerProcess::close);
        azurite.ifPresent(Azurite::close);
    }

    @Override
    protected LeaseStore open() {
        return LINE.opened(LeaseStore.open(S3Mock.url(uri(), "contract") + "&timeout-millis=10000"));
    }

    private static URI uri() {
        return URI.create("http://127.0.0.1:" + proxy.orElseThrow().port());
    }
}
