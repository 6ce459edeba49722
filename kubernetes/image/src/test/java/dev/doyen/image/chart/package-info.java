/** Tests of the hub's Helm chart, which Helm renders and a real API server accepts. */
@NullMarked
package dev.doyen.image.chart;

import org.jspecify.annotations.NullMarked;
