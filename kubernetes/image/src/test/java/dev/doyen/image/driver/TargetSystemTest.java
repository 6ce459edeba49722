package dev.doyen.image.driver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TargetSystemTest {

    @Test
    void a_folder_with_the_loader_and_the_jdk_of_arm64_is_a_system_of_arm64(@TempDir Path folder) throws Exception {
        addLoader(folder);
        var jdk = addJdk(folder, "java-17-openjdk-arm64");
        Files.createSymbolicLink(folder.resolve("usr/lib/jvm/java-1.17.0-openjdk-arm64"), jdk);

        var system = TargetSystem.in(folder);

        assertThat(system.architecture()).isEqualTo("arm64");
        assertThat(system.jdk()).isEqualTo(jdk);
        assertThat(system.isHere()).isFalse();
        assertThat(system.inside(system.loader())).isEqualTo(Path.of("/lib/ld-linux-aarch64.so.1"));
    }

    @Test
    void a_program_of_another_architecture_runs_in_the_emulator() {
        var arm64 = new TargetSystem(Path.of("/arm64"), "arm64", Path.of("/jdk"));
        var amd64 = new TargetSystem(Path.of("/amd64"), "amd64", Path.of("/jdk"));

        assertThat(Stream.of(arm64, amd64).filter(each -> !each.runsHere()))
                .singleElement()
                .satisfies(foreign -> {
                    var command = foreign.command(Stream.of("java", "-version"));
                    assertThat(command.get(0)).startsWith("qemu-").endsWith("-static");
                    assertThat(command).endsWith("-L", foreign.root().toString(), "java", "-version");
                });
        assertThat(TargetSystem.here().command(Stream.of("java", "-version"))).containsExactly("java", "-version");
    }

    @Test
    void a_folder_without_a_loader_is_rejected(@TempDir Path folder) {
        assertThatThrownBy(() -> TargetSystem.in(folder))
                .isInstanceOf(ImageRefusedException.class)
                .hasMessageContaining(folder.toString())
                .hasMessageEndingWith("; unpack the Debian package libc6 into this folder");
    }

    @Test
    void a_folder_with_no_jdk_or_with_two_jdks_is_rejected(@TempDir Path folder) throws Exception {
        addLoader(folder);

        assertThatThrownBy(() -> TargetSystem.in(folder)).hasMessageContaining("contains 0 JDKs");
        addJdk(folder, "java-17-openjdk-arm64");
        addJdk(folder, "java-21-openjdk-arm64");
        assertThatThrownBy(() -> TargetSystem.in(folder))
                .isInstanceOf(ImageRefusedException.class)
                .hasMessageContaining("contains 2 JDKs with a folder jmods instead of one");
    }

    private static void addLoader(Path folder) throws Exception {
        Files.createFile(Files.createDirectories(folder.resolve("lib")).resolve("ld-linux-aarch64.so.1"));
    }

    private static Path addJdk(Path folder, String name) throws Exception {
        var jdk = folder.resolve("usr/lib/jvm").resolve(name);
        Files.createDirectories(jdk.resolve("jmods"));
        return jdk;
    }
}
