package dev.doyen.demo;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class QrDrawingTest {

    private static final String LONG = "http://[2001:db8:1234:5678:9abc:def0:1234:5678]:65535/";

    @ParameterizedTest
    @ValueSource(strings = {"http://192.168.1.20:8000/", LONG})
    void another_library_reads_the_url_from_each_drawing(String url) throws Exception {
        var drawing = QrDrawing.of(url);

        assertThat(QrReading.ofSvg(drawing.svg())).isEqualTo(url);
        assertThat(QrReading.ofLines(drawing.lines(false).lines().toList(), true))
                .isEqualTo(url);
        var colored = drawing.lines(true).lines();
        assertThat(QrReading.ofLines(
                        colored.map(line -> line.replaceAll("\u001b\\[[0-9;]*m", ""))
                                .toList(),
                        false))
                .isEqualTo(url);
    }

    @Test
    void the_colors_do_not_depend_on_the_terminal() {
        assertThat(QrDrawing.of(LONG).lines(true).lines())
                .allMatch(line -> line.startsWith("\u001b[30;107m") && line.endsWith("\u001b[0m"));
    }

    @Test
    void a_drawing_fits_a_terminal_of_80_columns() {
        assertThat(QrDrawing.of(LONG).lines(false).lines()).allMatch(line -> line.length() <= 80);
    }
}
