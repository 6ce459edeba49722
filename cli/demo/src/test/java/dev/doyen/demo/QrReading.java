package dev.doyen.demo;

import com.google.zxing.common.BitMatrix;
import com.google.zxing.qrcode.decoder.Decoder;
import java.util.List;
import java.util.regex.Pattern;

/** Reads the QR codes of a page and of a terminal with another library than the one that draws them. */
final class QrReading {

    private static final Pattern MODULE = Pattern.compile("M(\\d+) (\\d+)h1v1h-1z");
    private static final Pattern SIDE = Pattern.compile("viewBox=\"0 0 (\\d+) \\1\"");
    private static final int MARGIN = 4;

    private QrReading() {}

    static String ofSvg(String svg) throws Exception {
        var side = SIDE.matcher(svg);
        if (!side.find()) {
            throw new IllegalArgumentException("no QR code: " + svg);
        }
        int size = Integer.parseInt(side.group(1)) - 2 * MARGIN;
        var modules = new BitMatrix(size);
        MODULE.matcher(svg)
                .results()
                .forEach(each -> modules.set(
                        Integer.parseInt(each.group(1)) - MARGIN, Integer.parseInt(each.group(2)) - MARGIN));
        return new Decoder().decode(modules).getText();
    }

    /** Reads lines whose block characters show the dark modules, or the light modules if {@code isInverse}. */
    static String ofLines(List<String> lines, boolean isInverse) throws Exception {
        int size = lines.get(0).length() - 2 * MARGIN;
        var modules = new BitMatrix(size);
        for (int y = 0; y < size; y++) {
            for (int x = 0; x < size; x++) {
                char block = lines.get((y + MARGIN) / 2).charAt(x + MARGIN);
                boolean isDrawn = block == '█' || block == ((y + MARGIN) % 2 == 0 ? '▀' : '▄');
                if (isDrawn != isInverse) {
                    modules.set(x, y);
                }
            }
        }
        return new Decoder().decode(modules).getText();
    }
}
