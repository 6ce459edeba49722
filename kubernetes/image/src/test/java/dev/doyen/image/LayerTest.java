package dev.doyen.image;

import static org.assertj.core.api.Assertions.assertThat;

import dev.doyen.image.Layer.Entry;
import java.util.List;
import org.junit.jupiter.api.Test;

class LayerTest {

    @Test
    void files_that_change_together_are_stored_together_after_their_folders() {
        var layers = Layer.arrange(List.of(
                file("doyen/lib/b.jar"),
                file("etc/passwd"),
                file("doyen/jvm.args"),
                file("doyen/runtime/bin/java"),
                file("doyen/lib/a.jar")));

        assertThat(layers.keySet()).containsExactly(Layer.SYSTEM, Layer.RUNTIME, Layer.PROGRAM);
        assertThat(paths(layers.get(Layer.SYSTEM))).containsExactly("etc", "etc/passwd");
        assertThat(paths(layers.get(Layer.RUNTIME)))
                .containsExactly("doyen", "doyen/runtime", "doyen/runtime/bin", "doyen/runtime/bin/java");
        assertThat(paths(layers.get(Layer.PROGRAM)))
                .containsExactly("doyen", "doyen/jvm.args", "doyen/lib", "doyen/lib/a.jar", "doyen/lib/b.jar");
    }

    @Test
    void only_root_may_write_and_only_programs_run() {
        assertThat(new Entry("etc", true, false).mode()).isEqualTo(0755);
        assertThat(new Entry("doyen/runtime/bin/java", false, true).mode()).isEqualTo(0755);
        assertThat(new Entry("etc/passwd", false, false).mode()).isEqualTo(0644);
    }

    private static Entry file(String path) {
        return new Entry(path, false, false);
    }

    private static List<String> paths(List<Entry> entries) {
        return entries.stream().map(Entry::path).toList();
    }
}
