package dev.doyen.image;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Tests the parsing of the output of jdeps, ldd and the JVM. */
class ToolAnswersTest {

    private static final String JDEPS = """
               java.base
               java.base/sun.security.util
               java.net.http
               java.sql
               jdk.unsupported
            """;

    @Test
    void the_modules_are_those_of_jdeps_and_the_module_for_elliptic_curves() {
        assertThat(Modules.of(JDEPS, Set.of()))
                .containsExactly("java.base", "java.net.http", "java.sql", "jdk.crypto.ec", "jdk.unsupported");
    }

    @Test
    void excluded_modules_are_absent_and_must_have_been_listed() {
        assertThat(Modules.of(JDEPS, Set.of("java.sql"))).doesNotContain("java.sql");
        assertThatThrownBy(() -> Modules.of(JDEPS, Set.of("java.xml")))
                .hasMessage("no jar uses java.xml any more; remove it from Recipe");
    }

    @Test
    void classes_that_no_jdk_contains_any_more_need_no_module() {
        assertThat(Modules.of("   JDK removed internal API/sun.misc\n" + JDEPS, Set.of()))
                .isEqualTo(Modules.of(JDEPS, Set.of()));
    }

    @Test
    void an_invalid_list_of_modules_is_rejected() {
        assertThatThrownBy(() -> Modules.of("Warning: split package: java.x\njava.base\n", Set.of()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("split package");
    }

    @Test
    void libraries_have_the_paths_that_the_loader_printed() {
        assertThat(SharedObjects.of(
                        "java",
                        List.of(
                                "\tlinux-vdso.so.1 (0x00007ffd6b9c5000)",
                                "\tlibz.so.1 => /lib/x86_64-linux-gnu/libz.so.1 (0x00007f1c9a9d1000)",
                                "\tlibjli.so => /j/lib/libjli.so (0x00007f1c9a9c0000)",
                                "\t/lib64/ld-linux-x86-64.so.2 (0x00007f1c9aa14000)"),
                        Set.of()))
                .containsExactly("/j/lib/libjli.so", "/lib/x86_64-linux-gnu/libz.so.1", "/lib64/ld-linux-x86-64.so.2");
    }

    @Test
    void a_missing_library_is_reported() {
        assertThatThrownBy(() -> SharedObjects.of("java", List.of("\tlibz.so.1 => not found"), Set.of("libjvm.so")))
                .hasMessage("java needs libz.so.1, which this machine does not have");
    }

    @Test
    void a_library_of_the_program_is_not_required_from_the_system() {
        assertThat(SharedObjects.of("java", List.of("\tlibjvm.so => not found"), Set.of("libjvm.so")))
                .isEmpty();
    }

    @Test
    void classes_that_only_a_rehearsal_uses_are_left_out() {
        assertThat(ClassList.forPods(List.of(
                        "java/lang/Object id: 0",
                        "org/snakeyaml/engine/v2/api/Load id: 7",
                        "@lambda-proxy org/snakeyaml/engine/v2/X run ()V",
                        "dev/doyen/A id: 8")))
                .containsExactly("java/lang/Object id: 0", "dev/doyen/A id: 8");
    }
}
