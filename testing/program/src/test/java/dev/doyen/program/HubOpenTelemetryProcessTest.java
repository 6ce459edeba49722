package dev.doyen.program;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Tests that a {@code doyen hub} process reports its metrics to the SDK of OpenTelemetry in its JVM. */
@Timeout(300)
class HubOpenTelemetryProcessTest {

    /** The SDK configures itself, and writes all metrics to the log every 200 ms. */
    private static final String SDK = "-Dotel.java.global-autoconfigure.enabled=true -Dotel.metrics.exporter=console"
            + " -Dotel.traces.exporter=none -Dotel.logs.exporter=none -Dotel.metric.export.interval=200";

    @Test
    void the_sdk_exports_the_metrics_of_the_hub(@TempDir Path folder) throws Exception {
        var builder = new ProcessBuilder(RunningDoyen.serverCommandLine("hub", folder, "--verbose"));
        builder.environment().put("JAVA_TOOL_OPTIONS", SDK);
        try (var hub = new RunningDoyen(builder)) {
            hub.awaitOutput("name=doyen.hub.max.connections,");
        }
    }
}
