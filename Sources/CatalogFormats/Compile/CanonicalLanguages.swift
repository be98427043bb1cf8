/// The language codes that Apple's Foundation replaces, and the default script of each language.
///
/// Foundation replaces codes of ISO 639-2 that have a shorter code in ISO 639-1, some languages of a macrolanguage, and deprecated tags of IANA's
/// registry. The default scripts are mostly the `Suppress-Script` values of IANA's registry. CLDR's aliases are nearly the same, but Foundation does
/// not replace codes that CLDR deprecates (`aam`) or merged with others later (`mo`, `sh`). Where Foundation and CLDR differ, the values follow the
/// observed output of `xcstringstool compile`.
enum CanonicalLanguages {
  /// The current codes by their former codes in lower case.
  static let names: [String: String] = {
    var names: [String: String] = [:]
    for entry in replaced.split(whereSeparator: \.isWhitespace) {
      let parts = entry.split(separator: "=")
      guard parts.count == 2 else { continue }
      for name in parts[1].split(separator: ",") { names[String(name)] = String(parts[0]) }
    }
    return names
  }()

  /// The default scripts by language.
  static let scripts: [String: String] = {
    var scripts: [String: String] = [:]
    var script = ""
    for word in unsaid.split(whereSeparator: \.isWhitespace) {
      if word.last == ":" { script = String(word.dropLast()) } else { scripts[String(word)] = script }
    }
    return scripts
  }()

  private static let replaced = """
    aa=aar ab=abk ae=ave af=afr ak=aka,fat,tw,twi am=amh ami=i-ami an=arg ar=ara,arb as=asm av=ava ay=aym,ayr az=aze,azj ba=bak
    bal=bcc be=bel bg=bul bh=bih bi=bis bik=bcl bm=bam bn=ben bnc=lbk bnn=i-bnn bo=bod,tib br=bre bs=bos bua=bxr ca=cat cdo=zh-cdo
    ce=che ch=cha chm=mhr cjy=zh-cjy co=cos cpx=zh-cpx cr=cre,cwd cs=ces,cze cu=chu cv=chv cy=cym,wel czh=zh-czh czo=zh-czo da=dan
    de=deu,ger del=umu den=xsl din=dik doi=dgo dv=div dz=dzo ee=ewe el=ell,gre en=eng eo=epo es=spa et=ekk,est eu=baq,eus
    fa=fas,per,pes ff=fuc,ful fi=fin fil=tgl,tl fj=fij fo=fao fr=fra,fre fy=fry ga=gle gan=zh-gan gba=gya gd=gla gl=glg gn=grn,gug
    gon=gno grb=gbo gu=guj gv=glv ha=hau hai=hdn hak=i-hak,zh-hak,zh-hakka he=heb,iw hi=hin hmn=hea ho=hmo hr=hrv,scr
    hsn=zh-hsn,zh-xiang ht=hat hu=hun hy=arm,hye hz=her ia=ina id=in,ind ie=ile ig=ibo ii=iii ik=esk,ipk io=ido is=ice,isl it=ita
    iu=ike,iku ja=jpn jbo=art-lojban jrb=aju jv=jav,jaw,jw ka=geo,kat kg=kng,kon ki=kik kj=kua kk=kaz kl=kal kln=spy km=khm kn=kan
    ko=kor kok=knn kpe=xpe kr=kau,knc ks=kas ku=kmr,kur kv=kom,kpv kw=cor ky=kir la=lat lah=pnb lb=i-lux,ltz lg=lug li=lim ln=lin
    lo=lao lt=lit lu=lub luy=bxk lv=lav,lvs man=emk mg=mlg,plt mk=mac,mkd ml=mal mn=khk,mon mnp=zh-mnp mo=mol mr=mar ms=may,msa,zsm
    mt=mlt mwr=dhd my=bur,mya na=nau nan=zh-min-nan,zh-nan nb=no,no-bok,nob,nor nd=nde ne=nep ng=ndo nl=dut,nld nn=nno,no-nyn nr=nbl
    nv=i-navajo,nav ny=nya oc=oci oj=ojg,oji om=gaz,orm or=ori os=oss pa=pan pi=pli pl=pol ps=pbu,pus pt=por pwn=i-pwn qu=que,qxp
    raj=mup rm=roh rn=run ro=ron,rum rom=rmy ru=rus rw=kin sa=san sc=src,srd sd=snd se=sme sfb=sgn-be-fr sg=sag sgg=sgn-ch-de si=sin
    sk=slk,slo sl=slv sm=smo sn=sna so=som sq=alb,als,sqi sr=scc,srp sr-Latn=hbs srx=him ss=ssw st=sot su=sun sv=swe sw=swa,swh
    syr=cld ta=tam tao=i-tao tay=i-tay te=tel tg=tgk th=tha ti=tir tk=tuk tlh=i-klingon tmh=ttq tn=tsn to=ton tr=tur ts=tso tsu=i-tsu
    tt=tat ty=tah ug=uig uk=ukr ur=urd uz=uzb,uzn ve=ven vgt=sgn-be-nl vi=vie vo=vol wa=wln wo=wol wuu=zh-wuu xh=xho yi=ji,ydd,yid
    yo=yor yue=zh-yue za=zha,zyb zap=zai zh=chi,cmn,zh-cmn,zh-guoyu,zho zu=zul zza=diq
    """

  private static let unsaid = """
    Arab: ar ars fa ps
    Aran: ks ur
    Armn: hy
    Beng: as bn
    Cher: chr
    Cyrl: ab be bg kk ky mk mn ru sr tg uk
    Deva: brx hi kok mr ne sa
    Ethi: am ti
    Geor: ka
    Grek: el
    Gujr: gu
    Guru: pa
    Hang: ko
    Hani: zh
    Hebr: he yi
    Jpan: ja
    Khmr: km
    Knda: kn
    Laoo: lo
    Latn: af agq ak asa ay az bas bem bez bm br bs ca cgg cs cy da dav de dje dua dyo ebu ee en eo es et eu ewo ff fi fil fo fr ga gd
    gl gn gsw guz gv ha haw hr hu id ig is it jmc kab kam kde kea khq ki kl ksb ksf kw la lag lb lg ln lt lu luo luy lv mas mer mfe mg
    mgh mo ms mt mua naq nb nd nl nmg nn nus ny nyn om pl pt qu rm rn ro rof rw rwk saq sbp se seh ses sg shi sk sl sn so sq sv sw swc
    teo tk tn to tr twq tzm uz vi vun wo xh xog yav yo zu
    Mlym: ml
    Mymr: my
    Orya: or
    Sinh: si
    Taml: ta
    Telu: te
    Thaa: dv
    Thai: th
    Tibt: bo dz
    Vaii: vai
    Yiii: ii
    """
}
