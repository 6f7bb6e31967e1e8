/** The functions of pdfium that are called (https://pdfium.googlesource.com/pdfium, public/*.h). */

/** FPDFBitmap_BGRx, fpdfview.h: four bytes a pixel, the last one unused. */
export const BITMAP_BGRX = 3;

/** Pointers, handles and C booleans are numbers; 0 is null and false. */
export interface PdfiumFunctions {
  malloc(bytes: number): number;
  free(pointer: number): void;
  PDFiumExt_Init(): void;
  FPDF_LoadMemDocument(data: number, bytes: number, password: number): number;
  FPDF_GetLastError(): number;
  FPDF_CloseDocument(document: number): void;
  PDFiumExt_OpenFileWriter(): number;
  FPDF_SaveAsCopy(document: number, writer: number, flags: number): number;
  PDFiumExt_GetFileWriterSize(writer: number): number;
  PDFiumExt_GetFileWriterData(writer: number, buffer: number, bytes: number): number;
  PDFiumExt_CloseFileWriter(writer: number): void;
  FPDF_GetPageCount(document: number): number;
  FPDF_LoadPage(document: number, index: number): number;
  FPDF_ClosePage(page: number): void;
  FPDF_GetPageWidthF(page: number): number;
  FPDF_GetPageHeightF(page: number): number;
  FPDF_PageToDevice(
    page: number,
    left: number,
    top: number,
    width: number,
    height: number,
    rotate: number,
    x: number,
    y: number,
    deviceX: number,
    deviceY: number,
  ): number;
  FPDFPage_GetAnnotCount(page: number): number;
  FPDFPage_GetAnnot(page: number, index: number): number;
  FPDFPage_CloseAnnot(annotation: number): void;
  FPDFAnnot_GetSubtype(annotation: number): number;
  FPDF_GetFormType(document: number): number;
  PDFiumExt_OpenFormFillInfo(): number;
  PDFiumExt_CloseFormFillInfo(info: number): void;
  PDFiumExt_InitFormFillEnvironment(document: number, info: number): number;
  PDFiumExt_ExitFormFillEnvironment(form: number): void;
  FPDFAnnot_GetFlags(annotation: number): number;
  FPDFAnnot_GetRect(annotation: number, rectangle: number): number;
  FPDFAnnot_GetFormFieldType(form: number, annotation: number): number;
  FPDFAnnot_GetFormFieldFlags(form: number, annotation: number): number;
  FPDFAnnot_GetFormFieldValue(form: number, annotation: number, buffer: number, bytes: number): number;
  FPDFAnnot_GetOptionCount(form: number, annotation: number): number;
  FPDFAnnot_GetOptionLabel(form: number, annotation: number, index: number, buffer: number, bytes: number): number;
  FPDFAnnot_IsOptionSelected(form: number, annotation: number, index: number): number;
  FPDFAnnot_GetAP(annotation: number, mode: number, buffer: number, bytes: number): number;
  FPDFPage_Flatten(page: number, usage: number): number;
  FPDFText_LoadPage(page: number): number;
  FPDFText_ClosePage(textPage: number): void;
  FPDFText_CountChars(textPage: number): number;
  FPDFText_GetUnicode(textPage: number, index: number): number;
  FPDFText_IsGenerated(textPage: number, index: number): number;
  FPDFText_GetTextObject(textPage: number, index: number): number;
  FPDFText_GetCharOrigin(textPage: number, index: number, x: number, y: number): number;
  FPDFText_GetCharBox(textPage: number, index: number, l: number, r: number, b: number, t: number): number;
  FPDFText_GetLooseCharBox(textPage: number, index: number, rectangle: number): number;
  FPDFText_GetFontSize(textPage: number, index: number): number;
  FPDFText_GetFontInfo(textPage: number, index: number, buffer: number, bytes: number, flags: number): number;
  FPDFText_GetMatrix(textPage: number, index: number, matrix: number): number;
  FPDFText_GetBoundedText(
    textPage: number,
    left: number,
    top: number,
    right: number,
    bottom: number,
    buffer: number,
    units: number,
  ): number;
  FPDFTextObj_GetFont(textObject: number): number;
  FPDFFont_GetBaseFontName(font: number, buffer: number, bytes: number): number;
  FPDFTextObj_GetTextRenderMode(textObject: number): number;
  FPDFBitmap_CreateEx(width: number, height: number, format: number, scan: number, stride: number): number;
  FPDFBitmap_FillRect(bitmap: number, x: number, y: number, width: number, height: number, argb: number): number;
  FPDFBitmap_Destroy(bitmap: number): void;
  FPDF_RenderPageBitmap(
    bitmap: number,
    page: number,
    x: number,
    y: number,
    width: number,
    height: number,
    rotate: number,
    flags: number,
  ): void;
  FPDFPage_CountObjects(page: number): number;
  FPDFPage_GetObject(page: number, index: number): number;
  FPDFFormObj_CountObjects(form: number): number;
  FPDFFormObj_GetObject(form: number, index: number): number;
  FPDFPageObj_GetType(object: number): number;
  FPDFPageObj_GetMatrix(object: number, matrix: number): number;
  FPDFPageObj_GetFillColor(object: number, r: number, g: number, b: number, a: number): number;
  FPDFPageObj_GetStrokeColor(object: number, r: number, g: number, b: number, a: number): number;
  FPDFPageObj_GetStrokeWidth(object: number, width: number): number;
  FPDFPath_GetDrawMode(path: number, fill: number, stroke: number): number;
  FPDFPath_CountSegments(path: number): number;
  FPDFPath_GetPathSegment(path: number, index: number): number;
  FPDFPathSegment_GetType(segment: number): number;
  FPDFPathSegment_GetPoint(segment: number, x: number, y: number): number;
  FPDFPathSegment_GetClose(segment: number): number;
  FPDFPageObj_GetBounds(object: number, left: number, bottom: number, right: number, top: number): number;
  FPDFText_HasUnicodeMapError(textPage: number, index: number): number;
  EPDFAnnot_GetButtonExportValue(annotation: number, buffer: number, bytes: number): number;
  FPDFAnnot_HasKey(annotation: number, key: number): number;
  FPDFAnnot_GetStringValue(annotation: number, key: number, buffer: number, bytes: number): number;
  FPDFAnnot_GetLink(annotation: number): number;
  FPDFAnnot_CountAttachmentPoints(annotation: number): number;
  FPDFAnnot_GetAttachmentPoints(annotation: number, index: number, points: number): number;
  FPDFLink_GetAction(link: number): number;
  FPDFAction_GetType(action: number): number;
  FPDFAction_GetURIPath(document: number, action: number, buffer: number, bytes: number): number;
  FPDFDoc_GetAttachmentCount(document: number): number;
  FPDFDoc_GetAttachment(document: number, index: number): number;
  FPDFAttachment_GetName(attachment: number, buffer: number, bytes: number): number;
  FPDFAttachment_GetSubtype(attachment: number, buffer: number, bytes: number): number;
  FPDFAttachment_GetFile(attachment: number, buffer: number, bytes: number, size: number): number;
  EPDFAttachment_GetDescription(attachment: number, buffer: number, bytes: number): number;
  EPDFAttachment_GetIntegerValue(attachment: number, key: number, value: number): number;
  FPDFPageObj_SetMatrix(object: number, matrix: number): number;
  FPDFPageObj_CountMarks(object: number): number;
  FPDFPageObj_GetMark(object: number, index: number): number;
  FPDFPageObjMark_GetName(mark: number, buffer: number, bytes: number, length: number): number;
  FPDFPageObjMark_GetParamIntValue(mark: number, key: number, value: number): number;
  FPDFPageObjMark_GetParamBlobValue(mark: number, key: number, buffer: number, bytes: number, length: number): number;
  FPDFPageObj_GetClipPath(object: number): number;
  FPDFClipPath_CountPaths(clip: number): number;
  FPDFClipPath_CountPathSegments(clip: number, path: number): number;
  FPDFClipPath_GetPathSegment(clip: number, path: number, index: number): number;
  FPDFImageObj_GetImagePixelSize(image: number, width: number, height: number): number;
  FPDFImageObj_GetImageMetadata(image: number, page: number, metadata: number): number;
  FPDFImageObj_GetImageFilterCount(image: number): number;
  FPDFImageObj_GetImageFilter(image: number, index: number, buffer: number, bytes: number): number;
  FPDFImageObj_GetImageDataRaw(image: number, buffer: number, bytes: number): number;
  FPDFImageObj_GetBitmap(image: number): number;
  FPDFImageObj_GetRenderedBitmap(document: number, page: number, image: number): number;
  FPDFBitmap_GetBuffer(bitmap: number): number;
  FPDFBitmap_GetFormat(bitmap: number): number;
  FPDFBitmap_GetWidth(bitmap: number): number;
  FPDFBitmap_GetHeight(bitmap: number): number;
  FPDFBitmap_GetStride(bitmap: number): number;
}
